import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { sha256, ZERO_DIGEST } from '../../kernel/digest.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import { type DecodedChain, decodeChain } from '../log/chain.ts';
import { appendLinks, type ChainFile, chainHead } from '../log/chain-file.ts';
import { writeSynced } from '../storage/durable.ts';
import { withLock } from '../storage/lock.ts';
import { ledgerEntry, type LedgerEntry } from '../schema/bundle.ts';
import { schemaFault } from '../schema/parts.ts';

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

const ledgerFile = (runsDir: string): ChainFile<LedgerEntry> => ({
  path: ledgerPath(runsDir),
  decode: decodeLedgerEntry,
  onDamage: 'run `seatrial verify --all` for details',
});

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
    return chainHead(ledgerFile(runsDir));
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
  return appendLinks(ledgerFile(runsDir), clock, drafts, (torn) => setAside(runsDir, torn));
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
