import { basename, resolve } from 'node:path';
import { canonicalJson } from '../../kernel/canonical.ts';
import { CONTROL_DIR } from '../bundle/bundle.ts';
import { type FileTree, readFileTree, type TreeFile } from '../storage/file-tree.ts';
import { ATTESTATION_FILE, MANIFEST_FILE, PENDING_REPORT_FILE } from '../bundle/manifest.ts';
import type { Status } from '../schema/parts.ts';
import { checkPreviousAttempt } from './checks/attempt-check.ts';
import { checkBaseRecord } from './checks/base-record-check.ts';
import { checkChain } from './checks/chain-check.ts';
import { checkFreshness } from './checks/freshness-check.ts';
import { lastOf } from './last-event.ts';
import { checkManifest } from './checks/manifest-check.ts';
import { type OpenedBundle, openBundle } from './opened.ts';
import { checkReportAgainstEvents } from './checks/report-check.ts';
import { checkSchemas, isKnownDocument } from './checks/schema-check.ts';
import { checkSignature } from './checks/signature-check.ts';
import { checkInputs } from './checks/inputs-check.ts';
import type { BundleVerification, VerifyCheck, VerifyOptions } from './types.ts';

/** Checks a bundle offline, from its files alone. Writes nothing and never throws for a bad bundle. */
export function verifyBundle(dir: string, options: VerifyOptions): BundleVerification {
  return openAndVerify(dir, options).verification;
}

export interface VerifiedBundle {
  readonly verification: BundleVerification;
  readonly bundle: OpenedBundle;
}

/** For callers that also need the opened bundle. */
export function openAndVerify(dir: string, options: VerifyOptions): VerifiedBundle {
  const tree = readFileTree(resolve(dir), { keep: isKnownDocument });
  return verifyTree(resolve(dir), tree, options, 'run');
}

function verifyTree(dir: string, tree: FileTree, options: VerifyOptions, kind: 'run' | 'control'): VerifiedBundle {
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const bundle = openBundle(files, tree.faults);
  const runId = bundle.report.ok ? bundle.report.value.run_id : null;
  if (isUnsealed(bundle)) {
    const detail = 'no seal: the run is still running, or was interrupted and not yet recovered';
    const checks = [{ name: 'seal', ok: false, detail }];
    return { verification: { dir, run_id: runId, verdict: 'unsealed', status: 'blocked', checks }, bundle };
  }
  const { trusted, ...signatureCheck } = checkSignature(bundle, options);
  const checks: readonly VerifyCheck[] = [
    checkManifest(bundle),
    checkChain(bundle),
    signatureCheck,
    checkFreshness(bundle, options.now),
    checkReportAgainstEvents(bundle, options),
    checkSchemas(bundle),
    ...checkInputs(dir, bundle),
    ...checkBaseRecord(bundle),
    ...checkControl(dir, bundle, tree, options),
    ...(kind === 'run' ? [...checkPreviousAttempt(dir, bundle), ...directoryNote(dir, runId)] : []),
  ];
  const holds = checks.every(({ ok }) => ok);
  const verdict = !holds ? 'invalid' : trusted ? 'verified' : 'consistent, signer unknown';
  return { verification: { dir, run_id: runId, verdict, status: statusOf(bundle, holds), checks }, bundle };
}

/** A sealed bundle says so in its report; only a bundle whose sealing was interrupted may lack the seal. */
function isUnsealed({ report, files }: OpenedBundle): boolean {
  if (!report.ok || report.value.freshness.sealed_at !== null) return false;
  const complete = files.has(MANIFEST_FILE) && files.has(ATTESTATION_FILE);
  return !complete || files.has(PENDING_REPORT_FILE);
}

function statusOf({ report }: OpenedBundle, holds: boolean): Status | null {
  if (!report.ok) return null;
  return holds || report.value.status !== 'pass' ? report.value.status : 'blocked';
}

/** The control is a bundle itself: it must pass the same checks and have the same signer. */
function checkControl(
  dir: string,
  bundle: OpenedBundle,
  tree: FileTree,
  options: VerifyOptions,
): readonly VerifyCheck[] {
  const report = bundle.report.ok ? bundle.report.value : null;
  // The control of a change to a repository is a record, and checked as such.
  const stated = (report?.base_record ?? null) === null ? (report?.baseline ?? null) : null;
  const prefix = `${CONTROL_DIR}/`;
  const nested: FileTree = { files: below(tree.files, prefix), faults: below(tree.faults, prefix) };
  if (nested.files.length === 0) {
    return stated === null ? [] : [{ name: 'control', ok: false, detail: `${CONTROL_DIR} is missing` }];
  }
  const { verification: control, bundle: inner } = verifyTree(`${dir}/${CONTROL_DIR}`, nested, options, 'control');
  const found = control.checks.filter(({ ok }) => !ok).map(({ name, detail }) => `${name}: ${detail}`);
  if (stated !== null && control.run_id !== stated.run_id) found.push('its run id differs from the report');
  if (stated !== null && control.status !== stated.status) found.push('its status differs from the report');
  if (!reportedAlike(bundle, inner)) found.push('its tests differ from baseline.completed');
  if (signerOf(bundle) !== signerOf(inner)) found.push('it was signed by a different key');
  const detail = found.length === 0 ? `${CONTROL_DIR} is a valid bundle (${control.status})` : found.join('; ');
  return [{ name: 'control', ok: found.length === 0, detail }];
}

/** The run's `baseline.completed` event has the test results that the control reported. */
function reportedAlike(run: OpenedBundle, control: OpenedBundle): boolean {
  const stated = lastOf(run.events.entries, 'baseline.completed')?.data.tests;
  if (stated === undefined || !control.report.ok) return true;
  return canonicalJson(stated) === canonicalJson(control.report.value.tests.seen);
}

function signerOf({ attestation }: OpenedBundle): string | null {
  return attestation.kind === 'signed' ? attestation.keyid : null;
}

/** A quoted name has its quote before the prefix. */
function below<T extends Pick<TreeFile, 'path'>>(items: readonly T[], prefix: string): readonly T[] {
  return items.flatMap((item) => {
    if (item.path.startsWith(prefix)) return [{ ...item, path: item.path.slice(prefix.length) }];
    if (item.path.startsWith(`"${prefix}`)) return [{ ...item, path: `"${item.path.slice(prefix.length + 1)}` }];
    return [];
  });
}

/** A copy under another name proves as much as the original, but the reader should know. */
function directoryNote(dir: string, runId: string | null): readonly VerifyCheck[] {
  if (runId === null || basename(dir) === runId) return [];
  const detail = `a copy: the directory is named ${basename(dir)}, but its run is ${runId}`;
  return [{ name: 'directory', ok: true, detail }];
}
