/** Of all bodies together that are being read, answered or told. Nothing confines the gateway, and an engine may send many at once. */
const MOST_HELD_BYTES = 256 * 1024 * 1024;

/** How much the gateway holds in memory on behalf of the engine. */
export class Room {
  /** What has been told and is still on its way to the harness. */
  readonly #untold: () => number;
  #held = 0;

  constructor(untold: () => number) {
    this.#untold = untold;
  }

  /** False: there is no room for it. */
  take(bytes: number): boolean {
    if (this.#held + bytes + this.#untold() > MOST_HELD_BYTES) return false;
    this.#held += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#held -= bytes;
  }
}
