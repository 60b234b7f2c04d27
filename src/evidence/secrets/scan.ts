/*
 * A secret scanner by hand: it looks for known values in streams, across chunk borders and in encoded forms. Scanners as packages match
 * patterns in whole files.
 */
import { isWordByte, NONE, OPEN, type SecretPatterns, STARTS_WORD } from './patterns.ts';

/** Offsets are relative to the bytes of the same result; `end` may lie beyond them. */
export interface Match {
  readonly name: string;
  readonly start: number;
  readonly end: number;
  /** The bytes of the secret; valid until the next push. */
  readonly bytes: Buffer;
}

export interface Settled {
  /** Bytes for which all secret starts are known. */
  readonly bytes: Buffer;
  readonly matches: readonly Match[];
}

const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Scans chunked bytes for secrets. Releases at once whatever cannot start a secret, and holds the rest until it is
 * decided, which takes a bounded number of further bytes.
 */
export class SecretScanner {
  readonly #patterns: SecretPatterns;
  #held: Buffer = NOTHING;
  #before = 0;

  constructor(patterns: SecretPatterns) {
    this.#patterns = patterns;
  }

  push(chunk: Buffer): Settled {
    return this.#settle(this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]), false);
  }

  /** Releases the held bytes at the end of input. */
  end(): Settled {
    return this.#settle(this.#held, true);
  }

  #settle(data: Buffer, final: boolean): Settled {
    const { starts, firsts } = this.#patterns;
    const matches: Match[] = [];
    const last = data.length - 1;
    let settled = data.length;
    for (let at = 0; at < last; at += 1) {
      // Fast path for nearly all bytes: the table fits into the L1 cache.
      if (firsts[data[at] ?? 0] === 0) continue;
      const pair = ((data[at] ?? 0) << 8) | (data[at + 1] ?? 0);
      const where = starts[pair];
      if (where === 0 || (where === STARTS_WORD && at > 0 && isWordByte(data[at - 1] ?? 0))) continue;
      if (at + 2 <= last && !this.#patterns.mayStart(pair, data[at + 2] ?? 0)) continue;
      const found = this.#matchesAt(data, at, pair, final);
      if (found === OPEN) {
        settled = at;
        break;
      }
      matches.push(...found);
    }
    if (settled === data.length && !final && last >= 0 && firsts[data[last] ?? 0] === 1) settled = last;
    this.#before = settled > 0 ? (data[settled - 1] ?? 0) : this.#before;
    if (settled === data.length) {
      this.#held = NOTHING;
      return { bytes: data, matches };
    }
    this.#held = data.subarray(settled);
    return { bytes: data.subarray(0, settled), matches };
  }

  #matchesAt(data: Buffer, at: number, pair: number, final: boolean): readonly Match[] | typeof OPEN {
    const before = at > 0 ? (data[at - 1] ?? 0) : this.#before;
    const found: Match[] = [];
    for (const pattern of this.#patterns.starting(pair)) {
      const end = pattern.measure(data, at, before, final);
      if (end === OPEN) return OPEN;
      if (end !== NONE) found.push({ name: pattern.name, start: at, end, bytes: data.subarray(at, end) });
    }
    return found;
  }
}
