import type { TreeEntry } from '../walk.ts';

/*
 * The entries of a large tree in few objects: a hundred thousand of them are read in milliseconds, and only those that are asked for are
 * made. All paths are one text, in the order of a walk. In it every `/` is NUL, so that plain text order is the order of a walk, and two
 * NULs stand before each path and after the last.
 */

const KINDS = ['dir', 'file', 'executable', 'link'] as const;
const KIND = { dir: 0, file: 1, executable: 2, link: 3 } as const;
const DIGEST_BYTES = 32;
const GAP = '\0\0';

interface TableParts {
  readonly text: string;
  /** Where each path starts in the text; one more for its end. */
  readonly starts: Uint32Array;
  /** The number of the first entry that is not below each entry. */
  readonly ends: Uint32Array;
  readonly kinds: Uint8Array;
  /** Of files. */
  readonly sizes: Float64Array;
  readonly digests: Buffer;
  /** Of links, by the numbers of their entries. */
  readonly targets: ReadonlyMap<number, string>;
}

export const toOrder = (key: string): string => key.replaceAll('/', '\0');
const fromOrder = (text: string): string => text.replaceAll('\0', '/');

/** Entries of a tree that does not change, by number, in the order of a walk. */
export class EntryTable {
  readonly count: number;
  /** Of all files. */
  readonly bytes: number;
  readonly hasEmptyDir: boolean;
  readonly #parts: TableParts;
  readonly #made = new Map<number, TreeEntry>();
  #leafKeys: { readonly files: readonly string[]; readonly links: readonly string[] } | null = null;

  private constructor(parts: TableParts) {
    this.#parts = parts;
    this.count = parts.kinds.length;
    this.bytes = parts.sizes.reduce((sum, size) => sum + size, 0);
    this.hasEmptyDir = parts.kinds.some((kind, at) => kind === KIND.dir && parts.ends[at] === at + 1);
  }

  /** `entries`: in the order of a walk. */
  static of(entries: ReadonlyMap<string, TreeEntry>): EntryTable {
    const count = entries.size;
    const parts = {
      text: `${GAP}${Array.from(entries.keys(), toOrder).join(GAP)}${GAP}`,
      starts: new Uint32Array(count + 1),
      ends: new Uint32Array(count),
      kinds: new Uint8Array(count),
      sizes: new Float64Array(count),
      digests: Buffer.alloc(count * DIGEST_BYTES),
      targets: new Map<number, string>(),
    };
    let at = 0;
    let start = GAP.length;
    const open: { readonly inside: string; readonly at: number }[] = [];
    for (const [key, entry] of entries) {
      for (let dir = open.at(-1); dir !== undefined && !key.startsWith(dir.inside); dir = open.at(-1)) {
        parts.ends[dir.at] = at;
        open.pop();
      }
      open.push({ inside: `${key}/`, at });
      parts.starts[at] = start;
      start += key.length + GAP.length;
      parts.kinds[at] = KIND[entry.kind === 'file' && entry.executable ? 'executable' : entry.kind];
      if (entry.kind === 'file') {
        parts.sizes[at] = entry.bytes;
        parts.digests.write(entry.sha256, at * DIGEST_BYTES, 'hex');
      }
      if (entry.kind === 'link') parts.targets.set(at, entry.target.toString('latin1'));
      at += 1;
    }
    parts.starts[count] = start;
    for (const dir of open) parts.ends[dir.at] = count;
    return new EntryTable(parts);
  }

  write(): Buffer {
    const { text, starts, ends, kinds, sizes, digests, targets } = this.#parts;
    const head = Buffer.from(JSON.stringify({ count: this.count, text: text.length, targets: [...targets] }));
    const lengths = Buffer.from(new Float64Array([head.length, 0]).buffer);
    const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Uint32Array): Buffer =>
      Buffer.from(buffer, byteOffset, byteLength);
    const numbers = [bytesOf(sizes), bytesOf(starts), bytesOf(ends), kinds, digests];
    return Buffer.concat([lengths, ...numbers, Buffer.from(text, 'latin1'), head]);
  }

  /** `content` must be what `write` gave. */
  static read(content: Buffer): EntryTable {
    const aligned = content.byteOffset % 8 === 0 ? content : Buffer.from(new Uint8Array(content).buffer);
    const { buffer, byteOffset } = aligned;
    const headLength = aligned.readDoubleLE(0);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller has checked a digest of the content
    const head = JSON.parse(aligned.toString('utf8', aligned.length - headLength)) as {
      readonly count: number;
      readonly text: number;
      readonly targets: readonly (readonly [number, string])[];
    };
    const { count } = head;
    let at = 16;
    const next = (bytes: number): number => {
      at += bytes;
      return byteOffset + at - bytes;
    };
    return new EntryTable({
      sizes: new Float64Array(buffer, next(count * 8), count),
      starts: new Uint32Array(buffer, next((count + 1) * 4), count + 1),
      ends: new Uint32Array(buffer, next(count * 4), count),
      kinds: new Uint8Array(buffer, next(count), count),
      digests: Buffer.from(buffer, next(count * DIGEST_BYTES), count * DIGEST_BYTES),
      text: aligned.toString('latin1', at, at + head.text),
      targets: new Map(head.targets),
    });
  }

  keyAt(at: number): string {
    return fromOrder(this.orderAt(at));
  }

  /** The path as it is compared. */
  orderAt(at: number): string {
    const { text, starts } = this.#parts;
    return text.slice(starts[at], (starts[at + 1] ?? 0) - GAP.length);
  }

  entryAt(at: number): TreeEntry {
    const known = this.#made.get(at);
    if (known !== undefined) return known;
    const { sizes, kinds, digests, targets } = this.#parts;
    const common = { path: Buffer.from(this.keyAt(at), 'latin1'), ctimeMs: 0 };
    const kind = KINDS[kinds[at] ?? 0] ?? 'dir';
    const entry: TreeEntry =
      kind === 'dir'
        ? { kind, ...common }
        : kind === 'link'
          ? { kind, ...common, target: Buffer.from(targets.get(at) ?? '', 'latin1') }
          : {
              kind: 'file',
              ...common,
              executable: kind === 'executable',
              bytes: sizes[at] ?? 0,
              sha256: digests.toString('hex', at * DIGEST_BYTES, (at + 1) * DIGEST_BYTES),
            };
    this.#made.set(at, entry);
    return entry;
  }

  /** The number of an entry. Null: there is none. */
  find(key: string): number | null {
    const at = this.placeOf(toOrder(key));
    return at < this.count && this.orderAt(at) === toOrder(key) ? at : null;
  }

  /** How many entries come before a path. */
  placeOf(order: string): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.orderAt(middle) < order) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The number of the first entry that is not below one. */
  endOf(at: number): number {
    return this.#parts.ends[at] ?? this.count;
  }

  /** The numbers of the entries of a directory; null for the root. */
  *children(dir: number | null): Generator<number> {
    const end = dir === null ? this.count : this.endOf(dir);
    for (let at = dir === null ? 0 : dir + 1; at < end; at = this.endOf(at)) yield at;
  }

  /** The paths of files and of links. */
  get leafKeys(): { readonly files: readonly string[]; readonly links: readonly string[] } {
    return (this.#leafKeys ??= this.#listLeafKeys());
  }

  #listLeafKeys(): { readonly files: readonly string[]; readonly links: readonly string[] } {
    const files: string[] = [];
    const links: string[] = [];
    for (const [at, kind] of this.#parts.kinds.entries())
      if (kind !== KIND.dir) (kind === KIND.link ? links : files).push(this.keyAt(at));
    return { files, links };
  }

  *links(): Generator<number> {
    yield* this.#parts.targets.keys();
  }

  /** Entries whose paths hold a match of the pattern, which sees NUL for `/`, two before a path and two after it. */
  *matching(pattern: RegExp): Generator<number> {
    const { text } = this.#parts;
    const found = new RegExp(pattern.source, `${pattern.flags.replace('g', '')}g`);
    for (let match = found.exec(text); match !== null; match = found.exec(text)) {
      const at = this.#entryOver(match.index);
      if (at >= this.count) return;
      yield at;
      found.lastIndex = Math.max(match.index + 1, (this.#parts.starts[at + 1] ?? text.length) - GAP.length);
    }
  }

  /** The entry whose path, or the gap before it, is at a place of the text. */
  #entryOver(place: number): number {
    const { starts } = this.#parts;
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle + 1] ?? 0) - GAP.length <= place) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
