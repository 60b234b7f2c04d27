import type { SecretPatterns } from './patterns.ts';
import { SecretScanner, type Settled } from './scan.ts';

export interface MaskedCount {
  readonly name: string;
  readonly count: number;
}

/** Masks secrets in stored or displayed output and counts the replacements. */
export class Masker {
  readonly #patterns: SecretPatterns;
  readonly #counts: Map<string, number>;

  constructor(patterns: SecretPatterns, counts = new Map<string, number>()) {
    this.#patterns = patterns;
    this.#counts = counts;
  }

  /** Returns a masker for other patterns that shares this one's counts. */
  with(patterns: SecretPatterns): Masker {
    return new Masker(patterns, this.#counts);
  }

  /** Number of masked secrets so far, by name. */
  get masked(): readonly MaskedCount[] {
    return [...this.#counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  }

  text(text: string): string {
    const stream = this.stream();
    return Buffer.concat([stream.push(Buffer.from(text)), stream.end()]).toString('utf8');
  }

  texts(texts: readonly string[]): string[] {
    return texts.map((text) => this.text(text));
  }

  /** The same events with every string of their data masked. */
  events<E extends { readonly data: unknown }>(events: readonly E[]): E[] {
    return events.map((event) => ({ ...event, data: mapStrings(event.data, (text) => this.text(text)) }));
  }

  /** For output that arrives in chunks with arbitrary boundaries. */
  stream(): MaskedStream {
    return new MaskedStream(new SecretScanner(this.#patterns), (name) => {
      this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
    });
  }
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((member) => mapStrings(member, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapStrings(member, change)]));
}

/**
 * Passes bytes through except for secrets. Bytes held back when a stream is cut off may be part of a secret: discard
 * them.
 */
export class MaskedStream {
  readonly #scanner: SecretScanner;
  readonly #count: (name: string) => void;
  /** Remaining bytes of a secret whose mask has already been written. */
  #covered = 0;

  constructor(scanner: SecretScanner, count: (name: string) => void) {
    this.#scanner = scanner;
    this.#count = count;
  }

  push(chunk: Buffer): Buffer {
    return this.#mask(this.#scanner.push(chunk));
  }

  end(): Buffer {
    return this.#mask(this.#scanner.end());
  }

  #mask({ bytes, matches }: Settled): Buffer {
    const out: Buffer[] = [];
    let covered = this.#covered;
    let lastName = '';
    for (const { name, start, end } of matches) {
      if (start >= covered) {
        out.push(bytes.subarray(covered, start), Buffer.from(`[masked: ${name}]`));
        this.#count(name);
      } else if (end > covered && name !== lastName) {
        this.#count(name);
      }
      lastName = name;
      covered = Math.max(covered, end);
    }
    out.push(bytes.subarray(covered));
    this.#covered = Math.max(0, covered - bytes.length);
    return out.length === 1 ? (out[0] ?? bytes) : Buffer.concat(out);
  }
}
