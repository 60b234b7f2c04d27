import { absentArtifacts, artifactsIn, digestsIn } from '../../evidence/bundle/artifacts.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { ALL_REASONS } from '../../engines/list.ts';
import { regressionsIn } from '../../evidence/report/before-after.ts';
import { describeBundle } from '../../evidence/report/write-pages.ts';
import { frozenTreeOf } from '../../evidence/report/frozen-tree.ts';
import { CUT_OFF } from '../../evidence/report/initial.ts';
import { missingEvents } from '../../evidence/log/required-events.ts';
import { sealBundle } from '../../evidence/bundle/seal.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { Contract } from '../../task/contract.ts';
import { decideVerdict, lifecycleReasons } from '../verdict.ts';
import { buildReport } from '../report.ts';
import type { Run } from './state.ts';

/** Decides, writes the last artifacts and closes the bundle. */
export async function sealRun(run: Run, contract: Contract | null): Promise<Report> {
  const { site, watch } = run.order;
  watch.step('seal');
  for (const { name, content } of absentArtifacts(run.bundle)) keepWriting(run, () => run.write(name, content));
  keepWriting(run, () => noteMasked(run));
  const missing = closeVerdict(run, contract);
  const verdict = decideVerdict(run.findings.blockers);
  run.log.append('run.completed', 'harness', {
    status: verdict.status,
    failure_reason: verdict.failureReason,
    missing_events: [...missing],
  });
  run.log.close();
  run.endTrace();
  const report = buildReport({
    bundle: run.bundle,
    contract,
    findings: run.findings,
    verdict,
    missingEvents: missing,
    frozenTree: frozenTreeOf(run.log.events, CUT_OFF),
    chainHead: run.log.head,
    artifacts: artifactsIn(run.bundle.dir),
    digests: digestsIn(run.bundle.dir),
    now: site.clock.now(),
    durationMs: site.clock.mono() - run.bundle.startedMono,
  });
  describeBundle(run.bundle, report, run.log.events, ALL_REASONS);
  return sealBundle({ bundle: run.bundle, report, key: site.key, clock: site.clock });
}

/** Says what is missing from this bundle because it was secret: names and numbers. */
function noteMasked(run: Run): void {
  const found = run.mask.masked;
  if (found.length === 0) return;
  run.log.append('secrets.masked', 'harness', { found: [...found] });
  run.mark('secrets-masked.txt', found.map(({ name, count }) => `${name}: ${count}`).join('\n'));
}

/** Adds what only shows at the end: how the engine's life ended, and events that never came. Gives the missing events. */
function closeVerdict(run: Run, contract: Contract | null): readonly string[] {
  const { findings } = run;
  const seen = [...run.log.events.map((event) => event.type), 'run.completed'];
  const missing = missingEvents(seen, contract?.required_events ?? []);
  const stopped = findings.blockers.some((blocker) => blocker.kind !== 'fail');
  const patchIsValid =
    findings.tests?.passed === true &&
    findings.changedFiles.length > 0 &&
    findings.disallowedWrites.length === 0 &&
    regressionsIn(findings.baseline?.comparison.tests ?? null).length === 0;
  run.failIn('engine', lifecycleReasons(run.order.engine.name, findings.engine, patchIsValid));
  if (!stopped)
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
