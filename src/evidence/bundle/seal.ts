import { closeSync, existsSync, futimesSync, renameSync } from 'node:fs';
import { prettyJson } from '../../kernel/canonical.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { attest } from './attestation.ts';
import { artifactPath, type Bundle, REPORT_FILE } from './bundle.ts';
import { syncBelow, syncDir, writeSynced } from '../storage/durable.ts';
import { writeFully } from '../storage/write-fully.ts';
import { reportingWrite, writeFailed } from '../storage/write-failed.ts';
import type { HarnessKey } from './keys.ts';
import { appendToLedger, appendWhileLocked, type LedgerDraft, ledgerLock } from './ledger.ts';
import { acquireLock } from '../storage/lock.ts';
import { openNoFollow } from '../storage/no-follow.ts';
import { ATTESTATION_FILE, buildManifest, MANIFEST_FILE, manifestBytes, PENDING_REPORT_FILE } from './manifest.ts';
import type { Manifest } from '../schema/bundle.ts';
import { report as reportSchema, type Report } from '../schema/report.ts';

export interface Sealing {
  readonly bundle: Bundle;
  /** Final except for `freshness.sealed_at`, which sealing sets. */
  readonly report: Report;
  readonly key: HarnessKey;
  readonly clock: Clock;
}

/**
 * Seals a bundle whose artifacts are all written. Until the rename in `commitReport` its report says `run interrupted`;
 * from then on the verdict counts. `recoverRuns` can redo every later step.
 */
export async function sealBundle({ bundle, report, key, clock }: Sealing): Promise<Report> {
  const { runsDir } = bundle;
  // Started early: it is ready by the time it is needed.
  const lock = bundle.kind === 'run' ? acquireLock(ledgerLock(runsDir)) : null;
  try {
    const pending = writePendingReport(bundle, report, clock.now());
    const listed = await writeManifest(bundle);
    requirePatch(bundle, report, listed.manifest);
    writeAttestation(bundle, pending, listed, key);
    commitReport(bundle);
    if (lock !== null) {
      await lock;
      appendWhileLocked(runsDir, clock, [ledgerLine(pending.report, listed.sha256)]);
    }
    return pending.report;
  } finally {
    await lock?.then(
      (release) => release(),
      () => {},
    );
  }
}

export interface PendingReport {
  readonly report: Report;
  readonly sha256: string;
}

export function writePendingReport(bundle: Bundle, draft: Report, now: Date): PendingReport {
  const path = artifactPath(bundle, PENDING_REPORT_FILE);
  const sealed = { ...draft, freshness: { ...draft.freshness, sealed_at: now.toISOString() } };
  const report = reportSchema.parse(sealed);
  const bytes = Buffer.from(prettyJson(report));
  reportingWrite(path, () => writeAsOf(path, bytes, now));
  return { report, sha256: sha256(bytes) };
}

export interface ListedBundle {
  readonly manifest: Manifest;
  readonly sha256: string;
}

/** Every listed file is fsynced when this resolves. */
export async function writeManifest(bundle: Bundle): Promise<ListedBundle> {
  const manifest = buildManifest(bundle.dir, bundle.runId);
  await syncBelow(bundle.dir).catch((error: unknown) => Promise.reject(writeFailed(bundle.dir, error)));
  const bytes = manifestBytes(manifest);
  const path = artifactPath(bundle, MANIFEST_FILE);
  reportingWrite(path, () => writeSynced(path, bytes));
  // Waiting for the disk takes long enough for others to change what was listed.
  if (!manifestBytes(buildManifest(bundle.dir, bundle.runId)).equals(bytes))
    throw writeFailed(bundle.dir, new Error('it was changed while it was sealed'));
  return { manifest, sha256: sha256(bytes) };
}

/**
 * Checks the patch again: sealing a bundle whose patch was removed or changed would seal a verdict without its proof.
 */
function requirePatch(bundle: Bundle, { patch }: Report, { files }: Manifest): void {
  if (patch.bytes === 0 || files.some(({ path, sha256: digest }) => path === patch.path && digest === patch.sha256))
    return;
  const why = new Error('it was removed or changed during the run');
  throw writeFailed(artifactPath(bundle, patch.path), why);
}

export function writeAttestation(bundle: Bundle, pending: PendingReport, listed: ListedBundle, key: HarnessKey): void {
  const { report, sha256: reportSha256 } = pending;
  const sealedAt = report.freshness.sealed_at;
  if (sealedAt === null) throw new TypeError('a report without sealed_at cannot be attested');
  const { manifest, sha256: manifestSha256 } = listed;
  const bytes = attest({ report, reportSha256, manifest, manifestSha256, sealedAt }, key);
  const path = artifactPath(bundle, ATTESTATION_FILE);
  reportingWrite(path, () => writeSynced(path, bytes));
}

/** Every bundle is created with a report: a directory without one has replaced the original. */
export function requireOriginal(bundle: Bundle): void {
  const path = artifactPath(bundle, REPORT_FILE);
  if (!existsSync(path)) throw writeFailed(path, new Error('it was removed during the run'));
}

/** The single step that makes the verdict count. */
export function commitReport(bundle: Bundle): void {
  requireOriginal(bundle);
  const path = artifactPath(bundle, REPORT_FILE);
  reportingWrite(path, () => {
    syncDir(bundle.dir);
    renameSync(artifactPath(bundle, PENDING_REPORT_FILE), path);
    syncDir(bundle.dir);
  });
}

export async function recordRun(runsDir: string, clock: Clock, report: Report, manifestSha256: string): Promise<void> {
  await appendToLedger(runsDir, clock, [ledgerLine(report, manifestSha256)]);
}

function ledgerLine({ run_id, status, freshness }: Report, manifestSha256: string): LedgerDraft {
  return { kind: 'run', run_id, status, manifest_sha256: manifestSha256, chain_head: freshness.chain_head };
}

/** Sets the report's file time to the time of sealing rather than of writing. */
function writeAsOf(path: string, bytes: Buffer, time: Date): void {
  const fd = openNoFollow(path, 'w');
  try {
    writeFully(fd, bytes);
    futimesSync(fd, time, time);
  } finally {
    closeSync(fd);
  }
}
