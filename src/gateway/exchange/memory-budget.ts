/** Limit for all bodies in memory. The gateway runs unconfined, and an engine may send many bodies at once. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Counts the memory that the gateway uses for the engine's requests. */
export class MemoryBudget {
  /** Bytes of reports that the harness has not read yet. */
  readonly #unsentBytes: () => number;
  #held = 0;

  constructor(unsentBytes: () => number) {
    this.#unsentBytes = unsentBytes;
  }

  /** Returns false if the limit would be exceeded. */
  reserve(bytes: number): boolean {
    if (this.#held + bytes + this.#unsentBytes() > MAX_HELD_BYTES) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
