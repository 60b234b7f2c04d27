import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { decodeChain } from '../../evidence/log/chain.ts';
import { ZERO_DIGEST } from '../../kernel/digest.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { JournalEntry } from './schema.ts';

/** What was read and checked before. */
interface Known {
  readonly inode: number;
  readonly bytes: number;
  readonly size: number;
  readonly changedMs: number;
  readonly entries: readonly JournalEntry[];
}

const NOTHING: Known = { inode: -1, bytes: 0, size: -1, changedMs: 0, entries: [] };

/** Reads a journal that grows while it is read: lines that were checked before are not checked again, unless the file was replaced or rewritten. */
export class JournalReader {
  readonly #path: string;
  readonly #decode: (value: unknown) => JournalEntry;
  #known: Known = NOTHING;

  constructor(path: string, decode: (value: unknown) => JournalEntry) {
    this.#path = path;
    this.#decode = decode;
  }

  /** A half-written last line is left out; any other damage throws. Writes nothing. */
  read(): readonly JournalEntry[] {
    let fd: number;
    try {
      fd = openSync(this.#path, 'r');
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw new SeatrialError('evidence', `cannot read ${this.#path}`, error);
    }
    try {
      const { ino: inode, size, mtimeMs: changedMs } = fstatSync(fd);
      const same = inode === this.#known.inode;
      if (same && size === this.#known.size && changedMs === this.#known.changedMs) return this.#known.entries;
      const grown = same && size > this.#known.size && this.#known.size === this.#known.bytes;
      this.#known = this.#decodeAfter(fd, grown ? this.#known : NOTHING, { inode, size, changedMs });
      return this.#known.entries;
    } finally {
      closeSync(fd);
    }
  }

  #decodeAfter(fd: number, before: Known, now: Pick<Known, 'inode' | 'size' | 'changedMs'>): Known {
    const bytes = Buffer.alloc(now.size - before.bytes);
    const read = readSync(fd, bytes, 0, bytes.length, before.bytes);
    const head = before.entries.at(-1)?.hash ?? ZERO_DIGEST;
    const { entries, fault, goodBytes } = decodeChain(bytes.subarray(0, read), this.#decode, {
      seq: before.entries.length,
      head,
    });
    if (fault !== null && !fault.torn)
      throw new SeatrialError(
        'evidence',
        `${this.#path} line ${fault.line}: ${fault.text}; the journal was damaged or changed: keep it as evidence and move it away to start anew`,
      );
    return { ...now, bytes: before.bytes + goodBytes, entries: [...before.entries, ...entries] };
  }
}
