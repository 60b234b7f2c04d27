import { compareTests, NOT_RUN_ON_BASE, regressionsIn, testsRan } from '../../evidence/report/before-after.ts';
import { CONTROL_DIR } from '../../evidence/bundle/create.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import { TESTS_FAILED } from '../judge/decide.ts';
import { hasControl, type RunRequest } from '../request.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { Run } from './state.ts';
import type { PreparedContract, Copies } from './prepare.ts';

/**
 * The same contract in the same run, with a known outcome. Where there is an oracle it must pass, or the task proves nothing;
 * where there is none, nothing is changed, and every test that ran then has to run again and must not fail where it passed.
 */
export async function runControl(
  run: Run,
  { contract, archives }: PreparedContract,
  copies: Copies,
  provisioned: Provisioned,
  runTask: (order: RunRequest) => Promise<Report>,
): Promise<void> {
  const { order, bundle, findings, scratch } = run;
  if (!hasControl(order)) return;
  const kind = contract.has_oracle ? 'oracle' : 'before';
  // The observer is meant for what the engine left, not for the control.
  const { afterEngine: _unwanted, ...repeated } = order;
  const control = await runTask({
    ...repeated,
    // Consent is for what the engine did, not for its yardstick.
    terms: { ...order.terms, approvals: [], review: null },
    engine: kind === 'oracle' ? fakeEngine() : fakeEngine({ script: ':' }),
    watch: { onStarted: () => {}, step: () => {}, activity: () => {} },
    controlOf: { bundle, archives, laid: copies.workspace(), provisioned, scratch },
  });
  findings.baseline = compareWithControl(run, kind, control);
  run.log.append('baseline.completed', 'harness', {
    run_id: control.run_id,
    status: control.status,
    reason: control.failure_reason,
    ...(kind === 'before' ? { tests: control.tests.seen } : {}),
  });
  failRegressions(run, findings.baseline);
  if (order.signal.aborted) return;
  if (kind === 'oracle' && control.status !== 'pass') run.block('baseline did not pass');
  const { exit_code: exitCode, seen } = control.tests;
  if (kind === 'before' && !testsRan({ exitCode, seen })) run.block(NOT_RUN_ON_BASE);
}

/** A reason of the judge other than `tests failed` stays first: tests that timed out are also missing, but that is the symptom. */
function failRegressions(run: Run, { comparison }: Baseline): void {
  const judged = run.findings.blockers.filter(({ step }) => step === 'judge');
  const explained = judged.some(({ reason }) => reason !== TESTS_FAILED);
  for (const { reason } of regressionsIn(comparison.tests)) run.fail(reason, explained ? {} : { cause: 'regression' });
}

type Baseline = NonNullable<Report['baseline']>;

function compareWithControl(run: Run, kind: Baseline['kind'], control: Report): Baseline {
  const { findings, order } = run;
  const provedSoFar = findings.blockers.length === 0 && findings.tests?.passed === true;
  return {
    kind,
    run_id: control.run_id,
    status: control.status,
    paths: { fake: CONTROL_DIR, [order.engine.name]: '.' },
    comparison: {
      same_status: provedSoFar === (control.status === 'pass'),
      same_patch: findings.patch.sha256 === control.patch.sha256,
      changed_files: { fake: control.changed_files, [order.engine.name]: [...findings.changedFiles] },
      tests: kind === 'before' ? compareTests(control.tests.seen, findings.tests?.seen ?? []) : null,
    },
  };
}
