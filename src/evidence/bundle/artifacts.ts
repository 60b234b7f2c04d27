import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { artifactPath, type Bundle, CONTROL_DIR, REPORT_FILE } from './bundle.ts';
import { EVENTS_FILE } from '../log/events.ts';
import { ATTESTATION_FILE, MANIFEST_FILE } from './manifest.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import type { NoTargetInspection } from '../schema/no-target.ts';
import { TRACE_FILE } from '../log/trace.ts';

export const NO_TARGET_FILE = 'stage2-no-target-inspection.json';

/** Names the report uses for the bundle's files. */
const ARTIFACTS: Readonly<Record<string, string>> = {
  report: REPORT_FILE,
  report_md: 'report.md',
  report_html: 'report.html',
  events: EVENTS_FILE,
  trace: TRACE_FILE,
  patch: 'patch.diff',
  test_log: 'test.log',
  contract: CONTRACT_FILE,
  base: 'inputs/base.tar',
  sealed_tests: 'inputs/tests.tar',
  stdout: 'backend/stdout.log',
  stderr: 'backend/stderr.log',
  eligibility: 'eligibility.json',
  no_target_inspection: NO_TARGET_FILE,
  baseline: CONTROL_DIR,
  manifest: MANIFEST_FILE,
  attestation: ATTESTATION_FILE,
};

const WRITTEN_AT_SEAL = new Set([REPORT_FILE, 'report.md', 'report.html', MANIFEST_FILE, ATTESTATION_FILE]);
const DIGESTED = ['events', 'patch', 'test_log', 'contract'];

/** Files left empty when a run stops before it produces their content. */
const MAY_BE_EMPTY = ['patch.diff', 'test.log', TRACE_FILE, 'backend/stdout.log', 'backend/stderr.log'];

/** The report's `artifacts`: the files that exist, plus those that sealing will add. */
export function artifactsIn(dir: string): Record<string, string> {
  const there = ([, path]: readonly [string, string]): boolean =>
    WRITTEN_AT_SEAL.has(path) || existsSync(join(dir, path));
  return Object.fromEntries(Object.entries(ARTIFACTS).filter(there));
}

/** The report's `digests`. */
export function digestsIn(dir: string): Record<string, string> {
  const files = DIGESTED.map((name) => [name, join(dir, ARTIFACTS[name] ?? '')] as const);
  const there = files.filter(([, path]) => statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  return Object.fromEntries(there.map(([name, path]) => [name, sha256(readFileSync(path))]));
}

/** Files that every bundle must have and this one lacks, each with a placeholder that says there was no result. */
export function absentArtifacts(bundle: Bundle): readonly { readonly name: string; readonly content: string }[] {
  const all = [
    ...MAY_BE_EMPTY.map((name) => ({ name, content: '' })),
    { name: NO_TARGET_FILE, content: prettyJson(notInspected(bundle)) },
  ];
  return all.filter(({ name }) => !existsSync(artifactPath(bundle, name)));
}

/** What an inspection says before anything was looked at. */
export function notInspected({ runId, nonce }: Pick<Bundle, 'runId' | 'nonce'>): NoTargetInspection {
  return {
    schema_version: 2,
    run_id: runId,
    nonce,
    conclusion: 'not inspected',
    targets: [],
    searched: [],
    copied_from: [],
    confinement: 'none',
    scratch: '',
    shown: [],
    masked: [],
    mounts: [],
    namespaces: {},
    probe: { passed: false, detail: 'no engine was started' },
    attempts: null,
  };
}
