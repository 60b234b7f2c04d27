import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { canonicalJson, prettyJson } from '../../kernel/canonical.ts';
import { systemClock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import { createBundle, createControlBundle, clearRunning, writeArtifact } from './create.ts';
import { artifactPath, type Bundle } from './bundle.ts';
import { EVENTS_FILE, EventLog } from '../log/events.ts';
import { reduceReport } from '../report/reduce.ts';
import { interruptedReport } from '../report/initial.ts';
import { type HarnessKey, loadOrCreateKey, type TrustedKey } from './keys.ts';
import type { Report } from '../schema/report.ts';
import { sealBundle } from './seal.ts';
import { Trace, TRACE_FILE, traceIdOf } from '../log/trace.ts';

/** A test directory with a key and a runs directory that contains realistic passing runs. */
export interface SampleSite {
  readonly root: string;
  readonly runsDir: string;
  readonly key: HarnessKey;
  readonly trusted: readonly TrustedKey[];
  remove(): void;
}

export function sampleSite(): SampleSite {
  const root = mkdtempSync(join(tmpdir(), 'seatrial-evidence-'));
  const key = loadOrCreateKey({ HOME: join(root, 'home') });
  return {
    root,
    runsDir: join(root, 'runs'),
    key,
    trusted: [{ name: 'sample', keyid: key.keyid, publicKey: key.publicKey }],
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

const PATCH = '--- a/strings.py\n+++ b/strings.py\n';
const TESTS = [
  { id: 'test_words', outcome: 'passed' as const },
  { id: 'test_empty', outcome: 'passed' as const },
];

export function beginSample(runsDir: string, scratch: string | null = null): Bundle {
  return createBundle({
    runsDir,
    task: 'sample',
    engine: 'fake',
    clock: systemClock,
    pid: process.pid,
    scratch,
    nonce: sha256(`${Math.random()}`),
  });
}

/** Writes everything but the seal; returns the report to seal. */
export function fillSample(bundle: Bundle, dirs = 1): Report {
  const base = { sha256: sha256('base'), bytes: 4 };
  const contract = {
    task: bundle.task,
    required_events: ['gate.checked'],
    base,
    sealed_tests: null,
    mutation: 'none',
    test_command: 'sh tests/test.sh',
    expected_tests: TESTS.map(({ id }) => id),
    isolation: 'black_box' as const,
  };
  const log = new EventLog(artifactPath(bundle, EVENTS_FILE), { clock: systemClock, startedMono: bundle.startedMono });
  const { runId, nonce, engine, startedAt } = bundle;
  log.append('run.started', 'harness', { run_id: runId, nonce, engine, started_at: startedAt });
  log.append('task.contract.created', 'harness', { task: bundle.task, sha256: sha256(canonicalJson(contract)) });
  log.append('candidate.described', 'harness', {
    stage: null,
    source_admission_status: 'not_admitted',
    executable: null,
    model: null,
  });
  log.append('gate.checked', 'harness', { gate: 'probe', passed: true, reason: null, detail: 'ok' });
  log.append('sandbox.described', 'harness', {
    workspace_root: '/workspace',
    confinement: {
      kind: 'bubblewrap',
      network: 'none',
      probe_passed: true,
      limits: {},
      not_enforced: [],
      read_only: [],
    },
  });
  log.append('protected_roots.checked', 'harness', { passed: true });
  log.append('plan.updated', 'harness', { steps: ['work'] });
  log.append('engine.message', 'engine', { text: 'Grüße ✓' });
  log.append('patch.applied', 'harness', { files: ['strings.py'] });
  const patch_sha256 = sha256(PATCH);
  log.append('git.diff.checked', 'harness', {
    changed_files: ['strings.py'],
    disallowed_writes: [],
    ignored_files: [],
    patch_sha256,
    patch_bytes: PATCH.length,
    faults: [],
  });
  const verdict = { command: 'sh tests/test.sh', passed: true, exit_code: 0, isolation: 'black_box' as const };
  log.append('verification.completed', 'harness', { ...verdict, tests: TESTS, faults: [] });
  log.append('run.completed', 'harness', { status: 'pass', failure_reason: null, missing_events: [] });
  log.close();
  const trace = new Trace(artifactPath(bundle, TRACE_FILE), {
    clock: systemClock,
    traceId: traceIdOf(nonce),
    resource: {},
  });
  const attributes = { tests: 2, ratio: 0.5, sealed: true };
  trace.add({ name: 'judge', startedMono: systemClock.mono(), ok: true, attributes });
  trace.end({ ok: true });
  writeArtifact(bundle, 'patch.diff', PATCH);
  writeArtifact(bundle, 'test.log', 'ok 1\nok 2\n');
  writeArtifact(bundle, 'report.md', '# pass\n');
  writeArtifact(bundle, 'report.html', '<!doctype html>'.padEnd(8000, 'x'));
  writeArtifact(bundle, 'inputs/contract.json', prettyJson(contract));
  writeArtifact(bundle, 'inputs/base.tar', 'base');
  for (let n = 0; n < dirs; n += 1) writeArtifact(bundle, `backend/part-${n}/stdout.log`, `line ${n}\n`);
  return reduceReport({ born: interruptedReport(bundle), events: log.events, contract, notExamined: '' });
}

export async function sealSample(site: SampleSite, bundle: Bundle, dirs = 1): Promise<Report> {
  const report = await sealBundle({ bundle, report: fillSample(bundle, dirs), key: site.key, clock: systemClock });
  clearRunning(bundle);
  return report;
}

/** A sealed passing run, with a control inside it if `control` is set. */
export async function sampleRun(site: SampleSite, options: { control?: boolean; dirs?: number } = {}): Promise<Bundle> {
  const bundle = beginSample(site.runsDir);
  if (options.control === true) {
    const nonce = `${bundle.nonce}-control`;
    await sealSample(site, createControlBundle(bundle, { engine: 'fake', clock: systemClock, nonce }));
  }
  await sealSample(site, bundle, options.dirs);
  return bundle;
}
