import { ZERO_DIGEST } from '../../../kernel/digest.ts';
import type { DecodedChain } from '../../log/chain.ts';
import type { LedgerEntry } from '../../schema/bundle.ts';
import { loadLedger } from '../../bundle/ledger.ts';
import { type VerifyCheck, verifyCheck } from '../types.ts';

export function checkLedgerChain(ledger: DecodedChain<LedgerEntry>): VerifyCheck {
  const { entries, fault } = ledger;
  const remedy = fault?.torn === true ? '; `seatrial runs recover` moves it aside' : '';
  const found = fault === null ? [] : [`ledger.jsonl line ${fault.line}: ${fault.text}${remedy}`];
  return verifyCheck('ledger', found, `the chain is intact (lines: ${entries.length})`);
}

/** Checks only the ledger's own chain. */
export function verifyLedger(runsDir: string): VerifyCheck {
  return checkLedgerChain(loadLedger(runsDir));
}

/** What the ledger check needs to know about a sealed run directory. */
export interface SealedRun {
  readonly name: string;
  readonly runId: string;
  readonly manifestSha256: string;
  readonly ledgerHeadAtStart: string;
}

/**
 * Each recorded run exists or was pruned, each sealed run is recorded, and each started from an earlier head of this
 * ledger.
 */
export function checkLedgerAgainstRuns(
  entries: readonly LedgerEntry[],
  sealed: readonly SealedRun[],
  names: ReadonlySet<string>,
): VerifyCheck {
  const found: string[] = [];
  const recorded = new Map<string, Extract<LedgerEntry, { kind: 'run' }>>();
  const pruned = new Set<string>();
  const seqOf = new Map(entries.map(({ hash, seq }) => [hash, seq]));
  for (const entry of entries) {
    if (entry.kind === 'pruned') pruned.add(entry.run_id);
    if (entry.kind !== 'run') continue;
    if (recorded.has(entry.run_id)) found.push(`${entry.run_id} is in the ledger twice`);
    recorded.set(entry.run_id, entry);
  }
  const present = new Set<string>();
  for (const { name, runId, manifestSha256, ledgerHeadAtStart } of sealed) {
    if (name !== runId) continue; // a copy: the original is checked instead
    present.add(runId);
    const entry = recorded.get(runId);
    if (entry === undefined) {
      found.push(`${runId} is sealed but not in the ledger; \`seatrial runs recover\` adds it`);
      continue;
    }
    if (entry.manifest_sha256 !== manifestSha256) found.push(`${runId} is not the run that the ledger recorded`);
    const headSeq = ledgerHeadAtStart === ZERO_DIGEST ? -1 : seqOf.get(ledgerHeadAtStart);
    if (headSeq === undefined || headSeq >= entry.seq) found.push(`${runId} started from a different ledger`);
  }
  for (const runId of recorded.keys()) {
    if (present.has(runId)) continue;
    if (names.has(runId)) found.push(`${runId} is in the ledger but its directory contains something else`);
    else if (!pruned.has(runId)) found.push(`${runId} is in the ledger but its directory is missing`);
  }
  const holds = `every recorded run exists or was pruned (${recorded.size}), every sealed run is recorded (${sealed.length})`;
  return verifyCheck('ledger against runs', found, holds);
}
