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
  for (const { name, content } of absentArtifacts(run.bundle)) keepWriting(run, () => run.log.write(name, content));
  const { masked } = run.mask;
  if (masked.length > 0) keepWriting(run, () => noteMasked(run, masked));
  const seen = [...run.log.events.map((event) => event.type), 'run.completed'];
  const missing = missingEvents(seen, run.contract?.required_events ?? []);
  const { report: soFar } = run.log;
  raiseLate(run, soFar, isValidPatch(soFar), missing);
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

/** Raises what only shows at the end: how the engine ended, and events that never came. */
function raiseLate(run: Run, report: Report, patchIsValid: boolean, missing: readonly string[]): void {
  const { blockers } = run;
  const end = { completion: report.backend_completion, exitCode: report.backend_exit_code };
  run.failIn('engine', lifecycleReasons(run.request.engine.name, end, patchIsValid, blockers.length > 0));
  if (blockers.every(({ kind }) => kind === 'fail'))
    run.failIn(
      'seal',
      missing.map((event) => reason('missing_event', { event })),
    );
}

const isValidPatch = ({ tests, changed_files: changed, disallowed_writes: disallowed, baseline }: Report): boolean =>
  tests.passed &&
  changed.length > 0 &&
  disallowed.length === 0 &&
  regressionsIn(baseline?.comparison.tests ?? null).length === 0;

/** A second loss of evidence does not hide the first. */
function keepWriting(run: Run, write: () => void): void {
  try {
    write();
  } catch (error) {
    run.takeFault(error);
  }
}
