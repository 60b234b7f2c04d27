import { sha256 } from '../../../kernel/digest.ts';

/** Random draws that depend only on the seed and a label, so that a rerun with the same seed makes the same copies. */
export class Draw {
  readonly #from: string;
  #count = 0;

  constructor(seed: string, label: string) {
    this.#from = `${seed}\n${label}`;
  }

  /** From 0 to `limit` - 1. */
  below(limit: number): number {
    this.#count += 1;
    return Number.parseInt(sha256(`${this.#from}\n${this.#count}`).slice(0, 12), 16) % limit;
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  heads(): boolean {
    return this.below(2) === 0;
  }

  pick<T>(list: readonly T[]): T | undefined {
    return list[this.below(Math.max(1, list.length))];
  }

  shuffled<T>(list: readonly T[]): T[] {
    const keyed = list.map((item) => ({ item, key: this.below(2 ** 47) }));
    return keyed.toSorted((a, b) => a.key - b.key).map(({ item }) => item);
  }

  /** A string of this many hexadecimal digits. */
  hex(digits: number): string {
    this.#count += 1;
    return sha256(`${this.#from}\n${this.#count}`).slice(0, digits);
  }
}
