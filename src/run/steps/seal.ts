import { existsSync, readFileSync, statSync } from 'node:fs';
import { CONTROL_FOLDER, REPORT_FILE } from '../../evidence/bundle.ts';
import { describeBundle } from '../../evidence/describe.ts';
import { EVENTS_FILE } from '../../evidence/events.ts';
import { ATTESTATION_FILE, MANIFEST_FILE } from '../../evidence/manifest.ts';
import { missingEvents } from '../../evidence/required-events.ts';
import { sealBundle } from '../../evidence/seal.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { TRACE_FILE } from '../../evidence/trace.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { Contract } from '../../task/schema.ts';
import { decideVerdict, lifecycleBlocker } from '../decide.ts';
import { buildReport } from '../report.ts';
import type { Run } from '../run.ts';

/** Decides, writes the last artifacts and closes the bundle. */
export async function sealRun(run: Run, contract: Contract | null): Promise<Report> {
  const { site, watch } = run.order;
  watch.step('seal');
  for (const name of ['patch.diff', 'test.log']) {
    if (!existsSync(run.artifact(name))) keepWriting(run, () => run.write(name, ''));
  }
  const missing = closeVerdict(run, contract);
  const verdict = decideVerdict(run.findings.blockers);
  run.log.append('run.completed', 'harness', { status: verdict.status, failure_reason: verdict.failureReason, missing_events: [...missing] });
  run.log.close();
  run.endTrace();
  const report = buildReport({
    bundle: run.bundle,
    contract,
    findings: run.findings,
    verdict,
    missingEvents: missing,
    chainHead: run.log.head,
    artifacts: artifactsOf(run),
    digests: digestsOf(run),
    now: site.clock.now(),
    durationMs: site.clock.mono() - run.bundle.startedMono,
  });
  describeBundle(run.bundle, report, run.log.events);
  return sealBundle({ bundle: run.bundle, report, key: site.key, clock: site.clock });
}

/** Adds what only shows at the end: how the engine's life ended, and events that never came. Gives the missing events. */
function closeVerdict(run: Run, contract: Contract | null): readonly string[] {
  const { findings } = run;
  const seen = [...run.log.events.map((event) => event.type), 'run.completed'];
  const missing = missingEvents(seen, contract?.required_events ?? []);
  const stopped = findings.blockers.some((blocker) => blocker.kind !== 'fail');
  const patchIsValid = findings.tests?.passed === true && findings.changedFiles.length > 0 && findings.disallowedWrites.length === 0;
  const lifecycle = lifecycleBlocker(run.order.engine.name, findings.engine, patchIsValid);
  if (lifecycle !== null) findings.blockers.push(lifecycle);
  if (!stopped) {
    for (const type of missing) findings.blockers.push({ step: 'seal', kind: 'fail', reason: `missing required event: ${type}` });
  }
  return missing;
}

/** A second loss of evidence does not hide the first. */
function keepWriting(run: Run, write: () => void): void {
  try {
    write();
  } catch (error) {
    run.takeFault(error);
  }
}

const ARTIFACTS: Readonly<Record<string, string>> = {
  report: REPORT_FILE,
  report_md: 'report.md',
  report_html: 'report.html',
  events: EVENTS_FILE,
  trace: TRACE_FILE,
  patch: 'patch.diff',
  test_log: 'test.log',
  contract: 'inputs/contract.json',
  base: 'inputs/base.tar',
  sealed_tests: 'inputs/tests.tar',
  stdout: 'backend/stdout.log',
  stderr: 'backend/stderr.log',
  eligibility: 'eligibility.json',
  no_target_inspection: 'stage2-no-target-inspection.json',
  baseline: CONTROL_FOLDER,
  manifest: MANIFEST_FILE,
  attestation: ATTESTATION_FILE,
};

const WRITTEN_AT_SEAL = new Set([REPORT_FILE, 'report.md', 'report.html', MANIFEST_FILE, ATTESTATION_FILE]);

function artifactsOf(run: Run): Record<string, string> {
  return Object.fromEntries(Object.entries(ARTIFACTS).filter(([, path]) => WRITTEN_AT_SEAL.has(path) || existsSync(run.artifact(path))));
}

function digestsOf(run: Run): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const name of ['events', 'patch', 'test_log', 'contract'] as const) {
    const path = run.artifact(ARTIFACTS[name] ?? '');
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === true) digests[name] = sha256(readFileSync(path));
  }
  return digests;
}
