import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { ZERO_DIGEST } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { syncDir } from '../storage/durable.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { writeFully } from '../storage/write-fully.ts';
import { type Link, linkLine } from './chain.ts';

const TAIL_BYTES = 64 * 1024;

/** A file of chained lines that grows at its end: the ledger, the journal of a project. */
export interface ChainFile<Entry extends Link> {
  readonly path: string;
  /** Throws on a bad value. */
  readonly decode: (value: unknown) => Entry;
  /** What a person should do about a damaged last line. */
  readonly onDamage: string;
}

/** Keeps a half-written last line somewhere else and returns the entry that notes it. */
export type KeepTorn<Draft> = (torn: Buffer) => Draft;

/** Hash of the last complete line. Reads only the end of the file and writes nothing. Throws if the file is missing. */
export function chainHead<Entry extends Link>(file: ChainFile<Entry>): string {
  const fd = openSync(file.path, 'r');
  try {
    return readTail(fd, file).last?.hash ?? ZERO_DIGEST;
  } finally {
    closeSync(fd);
  }
}

/** The caller must hold the lock of the file. Without drafts, only a half-written last line is cut off and noted. Fsynced on return. */
export function appendLinks<Entry extends Link, Draft extends object>(
  file: ChainFile<Entry>,
  clock: Clock,
  drafts: readonly Draft[],
  keepTorn: KeepTorn<Draft>,
): readonly Entry[] {
  return reportingWrite(file.path, () => {
    const fd = openNoFollow(file.path, 'a+');
    try {
      const { last, goodBytes, torn } = readTail(fd, file);
      const note = torn.length === 0 ? [] : [keepTorn(torn)];
      if (torn.length > 0) ftruncateSync(fd, goodBytes);
      const entries = link(file, [...note, ...drafts], last, clock.now().toISOString());
      writeFully(fd, Buffer.from(entries.map(({ line }) => line).join('')));
      fsyncSync(fd);
      if (last === null) syncDir(dirname(file.path));
      return entries.slice(note.length).map(({ entry }) => entry);
    } finally {
      closeSync(fd);
    }
  });
}

interface Tail<Entry> {
  readonly last: Entry | null;
  readonly goodBytes: number;
  readonly torn: Buffer;
}

function readTail<Entry extends Link>(fd: number, { path, decode, onDamage }: ChainFile<Entry>): Tail<Entry> {
  const size = fstatSync(fd).size;
  const start = Math.max(0, size - TAIL_BYTES);
  const bytes = Buffer.alloc(size - start);
  readSync(fd, bytes, 0, bytes.length, start);
  const end = bytes.lastIndexOf(0x0a);
  if (end === -1 && start > 0) throw new SeatrialError('evidence', `${path} ends in an overlong line; it was changed`);
  const torn = bytes.subarray(end + 1);
  if (end === -1) return { last: null, goodBytes: 0, torn };
  const line = bytes.toString('utf8', bytes.lastIndexOf(0x0a, end - 1) + 1, end);
  try {
    return { last: decode(JSON.parse(line)), goodBytes: start + end + 1, torn };
  } catch (error) {
    throw new SeatrialError('evidence', `the last line of ${path} is damaged; ${onDamage}`, error);
  }
}

function link<Entry extends Link>(
  { decode }: ChainFile<Entry>,
  drafts: readonly object[],
  last: Entry | null,
  time: string,
) {
  let seq = last === null ? 0 : last.seq + 1;
  let prev = last?.hash ?? ZERO_DIGEST;
  return drafts.map((draft) => {
    const body = { ...draft, seq, time, prev };
    const { line, hash } = linkLine(body);
    seq += 1;
    prev = hash;
    return { line, entry: decode({ ...body, hash }) };
  });
}
