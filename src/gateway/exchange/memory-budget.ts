/** Limit for all requests and answers in memory. The gateway runs unconfined, and an engine may open many exchanges at once. */
export const MAX_HELD_BYTES = 256 * 1024 * 1024;

/** Counts the memory that the gateway uses for requests and answers, until they have been reported. */
export class MemoryBudget {
  readonly maxBytes: number;
  /** Bytes of reports that the harness has not read yet. */
  readonly #unsentBytes: () => number;
  #held = 0;

  constructor(maxBytes: number, unsentBytes: () => number) {
    this.maxBytes = maxBytes;
    this.#unsentBytes = unsentBytes;
  }

  /** Returns false if the limit would be exceeded. */
  reserve(bytes: number): boolean {
    if (this.#held + bytes + this.#unsentBytes() > this.maxBytes) return false;
    this.#held += bytes;
    return true;
  }

  release(bytes: number): void {
    this.#held -= bytes;
  }
}
