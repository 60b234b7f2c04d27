import { join, resolve } from 'node:path';
import { loadLedger } from '../bundle/ledger.ts';
import { MANIFEST_FILE } from '../bundle/manifest.ts';
import { runNames } from '../bundle/runs.ts';
import { checkLedgerAgainstRuns, checkLedgerChain, type SealedRun } from './checks/ledger-check.ts';
import type { OpenedBundle } from './opened.ts';
import type { BundleVerification, VerifyCheck, VerifyOptions } from './types.ts';
import { openAndVerify } from './verify-bundle.ts';

export interface RunsVerification {
  /** No bundle is invalid and the ledger agrees. Unsealed runs claim nothing and are ignored. */
  readonly ok: boolean;
  readonly ledger: readonly VerifyCheck[];
  readonly runs: readonly BundleVerification[];
}

/** One bundle of a runs directory, and what the ledger has to say of it. */
export interface VerifiedRun {
  /** Of its directory. */
  readonly name: string;
  readonly verification: BundleVerification;
  readonly sealed: SealedRun | null;
}

/** Verifies every bundle in a runs directory, and the ledger. Writes nothing. */
export function verifyAll(runsDir: string, options: VerifyOptions): RunsVerification {
  const names = runNames(resolve(runsDir));
  return compareWithLedger(
    runsDir,
    names,
    names.map((name) => verifyRun(runsDir, name, options)),
  );
}

export function verifyRun(runsDir: string, name: string, options: VerifyOptions): VerifiedRun {
  const { verification, bundle } = openAndVerify(join(resolve(runsDir), name), options);
  return { name, verification, sealed: verification.verdict === 'unsealed' ? null : ledgerFacts(name, bundle) };
}

/** The result for all runs of a directory, once each of them was verified. */
export function compareWithLedger(
  runsDirectory: string,
  names: readonly string[],
  verified: readonly VerifiedRun[],
): RunsVerification {
  const runsDir = resolve(runsDirectory);
  const sealed = verified.flatMap((run) => run.sealed ?? []);
  const runs = verified.map(({ verification }) => verification);
  const chain = loadLedger(runsDir);
  const ledger = [checkLedgerChain(chain), checkLedgerAgainstRuns(chain.entries, sealed, new Set(names))];
  const ok = ledger.every((check) => check.ok) && runs.every(({ verdict }) => verdict !== 'invalid');
  return { ok, ledger, runs };
}

function ledgerFacts(name: string, { report, files }: OpenedBundle): SealedRun | null {
  const listed = files.get(MANIFEST_FILE);
  if (!report.ok || listed === undefined) return null;
  const { run_id: runId, freshness } = report.value;
  return { name, runId, manifestSha256: listed.sha256, ledgerHeadAtStart: freshness.ledger_head_at_start };
}
