import { absentArtifacts, fileFactsIn } from '../../evidence/bundle/artifacts.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { ALL_REASONS } from '../../engines/list.ts';
import { regressionsIn } from '../../evidence/report/before-after.ts';
import { describeBundle } from '../../evidence/report/write-pages.ts';
import { missingEvents } from '../../evidence/log/required-events.ts';
import { sealBundle } from '../../evidence/bundle/seal.ts';
import type { Masker } from '../../evidence/secrets/mask.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { decideVerdict } from '../../evidence/report/verdict.ts';
import { lifecycleReasons } from '../engine/lifecycle.ts';
import type { Run } from './state.ts';

/** Decides, writes the last artifacts and closes the bundle. */
export async function sealRun(run: Run): Promise<Report> {
  const { environment } = run.request;
  run.beginStep('seal');
  const absent = absentArtifacts(run.bundle);
  const { masked } = run.mask;
  for (const { name, content } of absent) keepWriting(run, () => run.log.write(name, content));
  if (masked.length > 0) keepWriting(run, () => noteMasked(run, masked));
  const missing = closeVerdict(run);
  run.writeBlockers();
  const { blockers } = run;
  const { status, failureReason } = decideVerdict(blockers);
  run.log.append('run.completed', 'harness', {
    status,
    failure_reason: failureReason,
    missing_events: [...missing],
  });
  const reduced = run.log.report;
  run.log.end(blockers.length);
  const report = { ...reduced, ...fileFactsIn(run.bundle.dir) };
  describeBundle(run.bundle, report, run.log.events, ALL_REASONS);
  return sealBundle({ bundle: run.bundle, report, key: environment.key, clock: environment.clock });
}

/** Says what is missing from this bundle because it was secret: names and numbers. */
function noteMasked(run: Run, found: Masker['masked']): void {
  run.log.append('secrets.masked', 'harness', { found: [...found] });
  run.log.mark('secrets-masked.txt', found.map(({ name, count }) => `${name}: ${count}`).join('\n'));
}

/** Adds what only shows at the end: how the engine ended, and events that never came. Gives the missing events. */
function closeVerdict(run: Run): readonly string[] {
  const { blockers } = run;
  const { report } = run.log;
  const seen = [...run.log.events.map((event) => event.type), 'run.completed'];
  const missing = missingEvents(seen, run.contract?.required_events ?? []);
  const patchIsValid =
    report.tests.passed &&
    report.changed_files.length > 0 &&
    report.disallowed_writes.length === 0 &&
    regressionsIn(report.baseline?.comparison.tests ?? null).length === 0;
  const { backend_completion: completion, backend_exit_code: exitCode } = report;
  run.failIn(
    'engine',
    lifecycleReasons(run.request.engine.name, { completion, exitCode }, patchIsValid, blockers.length > 0),
  );
  if (blockers.every(({ kind }) => kind === 'fail'))
    run.failIn(
      'seal',
      missing.map((event) => reason('missing_event', { event })),
    );
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
