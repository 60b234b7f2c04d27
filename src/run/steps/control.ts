import { compareTests, regressionsIn, testsRan } from '../../evidence/report/before-after.ts';
import { CONTROL_DIR } from '../../evidence/bundle/bundle.ts';
import { requireOriginal } from '../../evidence/bundle/seal.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import { NO_OBSERVER, type RunRequest } from '../request.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { Run } from './state.ts';
import type { Copies } from '../trees/copies.ts';
import type { PreparedContract } from './contract.ts';

/**
 * The same contract in the same run, with a known outcome. Where there is an oracle it must pass, or the task proves nothing;
 * where there is none, nothing is changed, and every test that ran then has to run again and must not fail where it passed.
 */
export async function runControl(
  run: Run,
  { contract, archives }: PreparedContract,
  copies: Copies,
  provisioned: Provisioned,
  runTask: (request: RunRequest) => Promise<Report>,
): Promise<void> {
  const { request, bundle, scratch } = run;
  const kind = contract.has_oracle ? 'oracle' : 'before';
  // The observer is meant for what the engine left, not for the control.
  const { afterEngine: _unwanted, reviewer: _reviewer, ...repeated } = request;
  const { attempt: _attempt, ...terms } = request.terms;
  const control = await runTask({
    ...repeated,
    // Consent is for what the engine did, not for its yardstick.
    terms: { ...terms, approvals: [], review: null },
    engine: kind === 'oracle' ? fakeEngine() : fakeEngine({ script: ':' }),
    watch: NO_OBSERVER,
    controlOf: { bundle, archives, laid: await copies.workspace(), provisioned, scratch },
  });
  // Otherwise the control lies in another directory than the events that name it.
  requireOriginal(bundle);
  const baseline = compareWithControl(run, kind, control);
  run.log.append('baseline.completed', 'harness', {
    run_id: control.run_id,
    status: control.status,
    reason: control.failure_reason,
    ...(kind === 'before' ? { tests: control.tests.seen } : {}),
    kind,
    paths: baseline.paths,
    comparison: baseline.comparison,
  });
  for (const regression of regressionsIn(baseline.comparison.tests)) run.fail(regression.reason);
  if (request.signal.aborted) return;
  if (kind === 'oracle' && control.status !== 'pass') run.block(reason('baseline_failed'));
  const { exit_code: exitCode, seen } = control.tests;
  if (kind === 'before' && !testsRan({ exitCode, seen })) run.block(reason('tests_not_run_on_base'));
}

type Baseline = NonNullable<Report['baseline']>;

function compareWithControl(run: Run, kind: Baseline['kind'], control: Report): Baseline {
  const { request } = run;
  const { report } = run.log;
  const provedSoFar = run.blockers.length === 0 && report.tests.passed;
  return {
    kind,
    run_id: control.run_id,
    status: control.status,
    paths: { fake: CONTROL_DIR, [request.engine.name]: '.' },
    comparison: {
      same_status: provedSoFar === (control.status === 'pass'),
      same_patch: report.patch.sha256 === control.patch.sha256,
      changed_files: { fake: control.changed_files, [request.engine.name]: report.changed_files },
      tests: kind === 'before' ? compareTests(control.tests.seen, report.tests.seen) : null,
    },
  };
}
