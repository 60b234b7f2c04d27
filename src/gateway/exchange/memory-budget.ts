/** Of all bodies together that are being read, answered or told. Nothing confines the gateway, and an engine may send many at once. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** How much the gateway holds in memory on behalf of the engine. */
export class MemoryBudget {
  /** What has been told and is still on its way to the harness. */
  readonly #untold: () => number;
  #held = 0;

  constructor(untold: () => number) {
    this.#untold = untold;
  }

  /** False: there is no room for it. */
  reserve(bytes: number): boolean {
    if (this.#held + bytes + this.#untold() > MAX_HELD_BYTES) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
