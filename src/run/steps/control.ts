import { CONTROL_DIR } from '../../evidence/bundle/create.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import { compareTests } from '../judge/compare-tests.ts';
import { hasControl, type RunRequest } from '../request.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { Run } from './state.ts';
import type { PreparedContract, Copies } from './prepare.ts';

/**
 * The same contract in the same run, with a known outcome. Where there is an oracle it must pass, or the task proves nothing;
 * where there is none, nothing is changed, and the tests show how things stood before.
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
  const control = await runTask({
    ...order,
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
  });
  if (kind === 'oracle' && control.status !== 'pass' && !order.signal.aborted) run.block('baseline did not pass');
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
