import { createHash, type Hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { type ChainPosition, type DecodedChain, decodeChain } from '../../evidence/log/chain.ts';
import { ZERO_DIGEST } from '../../kernel/digest.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import type { JournalEntry } from './schema.ts';

/** Where the checked part of a journal ends, and what it holds. */
export interface JournalPosition extends ChainPosition {
  readonly bytes: number;
  /** Of these bytes. */
  readonly sha256: string;
}

/** What was read and checked before. */
interface Known {
  readonly inode: number;
  readonly bytes: number;
  readonly size: number;
  readonly changedMs: number;
  readonly entries: readonly JournalEntry[];
  readonly hash: Hash;
}

const nothing = (): Known => ({
  inode: -1,
  bytes: 0,
  size: -1,
  changedMs: 0,
  entries: [],
  hash: createHash('sha256'),
});

type Decode = (value: unknown) => JournalEntry;

/** Checks lines of a journal. A half-written last line is left out; any other damage throws. */
export function checkJournalLines(
  path: string,
  bytes: Buffer,
  decode: Decode,
  after: ChainPosition,
): DecodedChain<JournalEntry> {
  const decoded = decodeChain(bytes, decode, after);
  const { fault } = decoded;
  if (fault !== null && !fault.torn)
    throw new SeatrialError(
      'evidence',
      `${path} line ${fault.line}: ${fault.text}; the journal was damaged or changed: keep it as evidence and move it away to start anew`,
    );
  return decoded;
}

/** Reads a journal that grows while it is read: lines that were checked before are not checked again, unless the file was replaced or rewritten. */
export class JournalReader {
  readonly #path: string;
  readonly #decode: Decode;
  #known: Known = nothing();

  constructor(path: string, decode: Decode) {
    this.#path = path;
    this.#decode = decode;
  }

  /** A half-written last line is left out; any other damage throws. Writes nothing. */
  read(): readonly JournalEntry[] {
    let fd: number;
    try {
      fd = openSync(this.#path, 'r');
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw new SeatrialError('evidence', `cannot read ${this.#path}`, error);
      this.#known = nothing();
      return this.#known.entries;
    }
    try {
      const { ino: inode, size, mtimeMs: changedMs } = fstatSync(fd);
      const same = inode === this.#known.inode;
      if (same && size === this.#known.size && changedMs === this.#known.changedMs) return this.#known.entries;
      const grown = same && size > this.#known.size && this.#known.size === this.#known.bytes;
      this.#known = this.#decodeAfter(fd, grown ? this.#known : nothing(), { inode, size, changedMs });
      return this.#known.entries;
    } finally {
      closeSync(fd);
    }
  }

  /** Of what `read` gave last. */
  position(): JournalPosition {
    const { bytes, entries, hash } = this.#known;
    return { seq: entries.length, head: headOf(entries), bytes, sha256: hash.copy().digest('hex') };
  }

  #decodeAfter(fd: number, before: Known, now: Pick<Known, 'inode' | 'size' | 'changedMs'>): Known {
    const bytes = Buffer.alloc(now.size - before.bytes);
    const read = readSync(fd, bytes, 0, bytes.length, before.bytes);
    const { entries, goodBytes } = checkJournalLines(this.#path, bytes.subarray(0, read), this.#decode, {
      seq: before.entries.length,
      head: headOf(before.entries),
    });
    return {
      ...now,
      bytes: before.bytes + goodBytes,
      entries: [...before.entries, ...entries],
      hash: before.hash.copy().update(bytes.subarray(0, goodBytes)),
    };
  }
}

const headOf = (entries: readonly JournalEntry[]): string => entries.at(-1)?.hash ?? ZERO_DIGEST;
