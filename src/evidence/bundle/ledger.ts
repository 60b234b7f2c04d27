import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import { type DecodedChain, decodeChain, linkLine } from '../log/chain.ts';
import { syncDir, writeSynced } from '../storage/durable.ts';
import { writeFully } from '../storage/write-fully.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { withLock } from '../storage/lock.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import { ledgerEntry, type LedgerEntry } from '../schema/bundle.ts';
import { schemaFault } from '../schema/parts.ts';

const TAIL_BYTES = 64 * 1024;

export const ledgerPath = (runsDir: string): string => join(runsDir, 'ledger.jsonl');
export const ledgerLock = (runsDir: string): string => join(runsDir, '.ledger.lock');

type Draft<E> = E extends LedgerEntry ? Omit<E, 'seq' | 'time' | 'prev' | 'hash'> : never;
/** A ledger entry without its sequence number and hashes. */
export type LedgerDraft = Draft<LedgerEntry>;

function decodeLedgerEntry(value: unknown): LedgerEntry {
  const parsed = ledgerEntry.safeParse(value);
  if (!parsed.success) throw new TypeError(schemaFault(parsed.error));
  return parsed.data;
}

function decodeLedger(bytes: Buffer): DecodedChain<LedgerEntry> {
  return decodeChain(bytes, decodeLedgerEntry);
}

/** Reads the ledger; a missing file counts as empty. Writes nothing. */
export function loadLedger(runsDir: string): DecodedChain<LedgerEntry> {
  try {
    return decodeLedger(readFileSync(ledgerPath(runsDir)));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return decodeLedger(Buffer.alloc(0));
    throw new SeatrialError('evidence', `cannot read the ledger ${ledgerPath(runsDir)}`, error);
  }
}

/** All entries. Omits a half-written last line, which the next append moves aside; any other fault is an error. */
export function readLedger(runsDir: string): readonly LedgerEntry[] {
  const { entries, fault } = loadLedger(runsDir);
  if (fault === null || fault.torn) return entries;
  throw new SeatrialError(
    'evidence',
    `${ledgerPath(runsDir)} line ${fault.line}: ${fault.text}; the ledger was damaged or changed`,
  );
}

/** Hash of the last complete line. Reads only the end of the file and writes nothing. */
export function ledgerHead(runsDir: string): string {
  try {
    const fd = openSync(ledgerPath(runsDir), 'r');
    try {
      return readTail(fd, ledgerPath(runsDir)).last?.hash ?? ZERO_DIGEST;
    } finally {
      closeSync(fd);
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return ZERO_DIGEST;
    throw error;
  }
}

/** Appends entries in order under the lock. Fsynced when this resolves. */
export function appendToLedger(
  runsDir: string,
  clock: Clock,
  drafts: readonly LedgerDraft[],
): Promise<readonly LedgerEntry[]> {
  return withLock(ledgerLock(runsDir), () => appendWhileLocked(runsDir, clock, drafts));
}

/** The caller must hold `ledgerLock`. Without drafts, only moves a half-written last line aside. */
export function appendWhileLocked(
  runsDir: string,
  clock: Clock,
  drafts: readonly LedgerDraft[],
): readonly LedgerEntry[] {
  const path = ledgerPath(runsDir);
  return reportingWrite(path, () => {
    const fd = openNoFollow(path, 'a+');
    try {
      const { last, goodBytes, torn } = readTail(fd, path);
      const note = torn.length === 0 ? [] : [setAside(runsDir, torn)];
      if (torn.length > 0) ftruncateSync(fd, goodBytes);
      const entries = link([...note, ...drafts], last, clock.now().toISOString());
      writeFully(fd, Buffer.from(entries.map(({ line }) => line).join('')));
      fsyncSync(fd);
      if (last === null) syncDir(runsDir);
      return entries.slice(note.length).map(({ entry }) => entry);
    } finally {
      closeSync(fd);
    }
  });
}

interface Tail {
  readonly last: LedgerEntry | null;
  readonly goodBytes: number;
  readonly torn: Buffer;
}

function readTail(fd: number, path: string): Tail {
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
    return { last: decodeLedgerEntry(JSON.parse(line)), goodBytes: start + end + 1, torn };
  } catch (error) {
    throw new SeatrialError(
      'evidence',
      `the last line of ${path} is damaged; run \`seatrial verify --all\` for details`,
      error,
    );
  }
}

function setAside(runsDir: string, torn: Buffer): LedgerDraft {
  for (let n = 1; ; n += 1) {
    const file = `ledger.torn-${n}`;
    try {
      writeSynced(join(runsDir, file), torn, 'wx');
      return { kind: 'torn', file, sha256: sha256(torn), bytes: torn.length };
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
    }
  }
}

function link(drafts: readonly LedgerDraft[], last: LedgerEntry | null, time: string) {
  let seq = last === null ? 0 : last.seq + 1;
  let prev = last?.hash ?? ZERO_DIGEST;
  return drafts.map((draft) => {
    const body = { ...draft, seq, time, prev };
    const { line, hash } = linkLine(body);
    seq += 1;
    prev = hash;
    return { line, entry: decodeLedgerEntry({ ...body, hash }) };
  });
}
