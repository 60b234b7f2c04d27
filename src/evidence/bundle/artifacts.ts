import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemCode } from '../../kernel/errors.ts';
import { digestFile } from '../storage/file-tree.ts';
import { artifactPath, type Bundle, CONTROL_DIR, REPORT_FILE } from './bundle.ts';
import { EVENTS_FILE } from '../log/events.ts';
import { ATTESTATION_FILE, MANIFEST_FILE } from './manifest.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import type { NoTargetInspection } from '../schema/no-target.ts';
import type { Report } from '../schema/report.ts';
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
/** Where the digests of the artifacts are that the report cannot hold: they are written after it, or are a directory. */
const DIGESTS_ELSEWHERE: Readonly<Record<string, string>> = {
  report: ATTESTATION_FILE,
  report_md: MANIFEST_FILE,
  report_html: MANIFEST_FILE,
  baseline: MANIFEST_FILE,
  manifest: ATTESTATION_FILE,
  attestation: 'its own signature',
  'all other files': MANIFEST_FILE,
};

/** Files left empty when a run stops before it produces their content. */
const MAY_BE_EMPTY = ['patch.diff', 'test.log', TRACE_FILE, 'backend/stdout.log', 'backend/stderr.log'];

/** What a report says about the files of its bundle. */
export function fileFactsIn(dir: string): Pick<Report, 'artifacts' | 'digests' | 'digests_elsewhere'> {
  return { artifacts: artifactsIn(dir), digests: digestsIn(dir), digests_elsewhere: DIGESTS_ELSEWHERE };
}

/** The report's `artifacts`: the files that exist, plus those that sealing will add. */
function artifactsIn(dir: string): Record<string, string> {
  const there = ([, path]: readonly [string, string]): boolean =>
    WRITTEN_AT_SEAL.has(path) || (path === CONTROL_DIR ? existsSync(join(dir, path)) : isFile(join(dir, path)));
  return Object.fromEntries(Object.entries(ARTIFACTS).filter(there));
}

/** The report's `digests`: of every artifact but those of `DIGESTS_ELSEWHERE`. */
function digestsIn(dir: string): Record<string, string> {
  const files = Object.entries(ARTIFACTS)
    .filter(([name]) => !Object.hasOwn(DIGESTS_ELSEWHERE, name))
    .map(([name, path]) => [name, join(dir, path)] as const);
  const there = files.filter(([, path]) => isFile(path));
  return Object.fromEntries(there.map(([name, path]) => [name, digestFile(path).sha256]));
}

/** Files that every bundle must have and this one lacks, each with a placeholder that says there was no result. */
export function absentArtifacts(bundle: Bundle): readonly { readonly name: string; readonly content: string }[] {
  const all = [
    ...MAY_BE_EMPTY.map((name) => ({ name, content: '' })),
    { name: NO_TARGET_FILE, content: prettyJson(notInspected(bundle)) },
  ];
  return all.filter(({ name }) => !isFile(artifactPath(bundle, name)));
}

/** Something else may lie where an artifact belongs. */
function isFile(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return false;
    throw error;
  }
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
