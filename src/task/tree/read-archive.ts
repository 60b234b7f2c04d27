import { closeSync, openSync, readSync } from 'node:fs';
import { BLOCK_BYTES, decodeHeader, padding, type TarHeader } from './tar-header.ts';

/** One thing in an archive. `pieces` has to be read before the next one is asked for, or not at all. */
export interface Member extends TarHeader {
  readonly pieces: () => Generator<Buffer>;
}

const READ_BYTES = 64 * 1024;
/** Longer than any name or link that a file system allows. */
const MAX_NAME_BYTES = 64 * 1024;

/** The entries of an archive, in order: ours, git's, or any other with only regular files, links and directories. */
export function* readArchive(file: string): Generator<Member> {
  const source = new Source(file);
  try {
    let longer: { readonly path?: Buffer; readonly target?: Buffer } = {};
    for (let block = source.block(); block !== null && block.some((byte) => byte !== 0); block = source.block()) {
      const { name, link, type, ...header } = decodeHeader(block);
      const { bytes } = header;
      if (type === 'L' || type === 'K') {
        const long = withoutEnd(source.whole(bytes));
        longer = { ...longer, ...(type === 'L' ? { path: long } : { target: long }) };
      } else if (type === 'x' || type === 'g') {
        const names = readRecords(source.whole(bytes));
        if (type === 'x') longer = { ...longer, ...names };
      } else {
        const end = source.at + bytes + padding(bytes);
        const kind = kindOf(type);
        yield { kind, ...header, path: name, target: link, ...longer, pieces: () => source.pieces(bytes) };
        source.goTo(end);
        longer = {};
      }
    }
  } finally {
    source.close();
  }
}

function kindOf(type: string): TarHeader['kind'] {
  if (type === '0' || type === '\0') return 'file';
  if (type === '2') return 'link';
  if (type === '5') return 'dir';
  throw new Error(`it contains an entry that is not a file, directory or link (type ${JSON.stringify(type)})`);
}

function withoutEnd(name: Buffer): Buffer {
  const end = name.indexOf(0);
  return end === -1 ? name : name.subarray(0, end);
}

/** Parses pax records, `<length> <key>=<value>\n`, which hold names that are too long for a header. */
function readRecords(records: Buffer): { path?: Buffer; target?: Buffer } {
  const names: { path?: Buffer; target?: Buffer } = {};
  for (let at = 0; at < records.length;) {
    const [, length, key = ''] = /^(\d+) ([^=]+)=/.exec(records.toString('latin1', at, at + 64)) ?? [];
    if (length === undefined || Number(length) === 0) throw new Error('it is damaged: invalid extended header');
    const value = records.subarray(at + length.length + 1 + key.length + 1, at + Number(length) - 1);
    if (key === 'path') names.path = Buffer.from(value);
    if (key === 'linkpath') names.target = Buffer.from(value);
    at += Number(length);
  }
  return names;
}

/** Buffered reader of an archive. */
class Source {
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(READ_BYTES);
  #start = 0;
  #held = 0;
  #at = 0;

  constructor(file: string) {
    this.#fd = openSync(file, 'r');
  }

  get at(): number {
    return this.#at;
  }

  goTo(at: number): void {
    this.#at = at;
  }

  /** Null: end of the archive. */
  block(): Buffer | null {
    const first = this.#take(BLOCK_BYTES);
    if (first.length === 0) return null;
    const rest = first.length < BLOCK_BYTES ? this.#take(BLOCK_BYTES - first.length) : first.subarray(0, 0);
    if (first.length + rest.length < BLOCK_BYTES) throw new Error('it is truncated');
    return Buffer.concat([first, rest]);
  }

  whole(bytes: number): Buffer {
    if (bytes > MAX_NAME_BYTES) throw new Error('it is damaged: a name is too long');
    const all = Buffer.concat([...this.pieces(bytes)].map((chunk) => Buffer.from(chunk)));
    this.#at += padding(bytes);
    return all;
  }

  *pieces(bytes: number): Generator<Buffer> {
    for (let left = bytes; left > 0;) {
      const chunk = this.#take(left);
      if (chunk.length === 0) throw new Error('it is truncated');
      left -= chunk.length;
      yield chunk;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /** Reads up to `most` bytes; empty at the end. The result is valid until the next call. */
  #take(most: number): Buffer {
    const within = this.#at - this.#start;
    if (within < 0 || within >= this.#held) {
      this.#start = this.#at;
      this.#held = readSync(this.#fd, this.#buffer, 0, READ_BYTES, this.#at);
    }
    const offset = this.#at - this.#start;
    const chunk = this.#buffer.subarray(offset, Math.min(offset + most, this.#held));
    this.#at += chunk.length;
    return chunk;
  }
}
