import { CONTROL_FOLDER } from '../../evidence/bundle.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { fakeEngine } from '../../engines/fake/engine.ts';
import type { RunOrder } from '../order.ts';
import type { Run } from '../run.ts';
import type { Asked } from './prepare.ts';

/** The same contract, the same run, by the fake engine: if even that does not pass, the task proves nothing. */
export async function runControl(
  run: Run,
  { contract, archives }: Asked,
  runTask: (order: RunOrder) => Promise<Report>,
): Promise<void> {
  const { order, bundle, findings } = run;
  if (order.engine.usesOracle || order.controlOf !== undefined || !contract.has_oracle) return;
  const watch = { born: () => {}, step: () => {}, activity: () => {} };
  const control = await runTask({ ...order, engine: fakeEngine(), watch, controlOf: { bundle, archives } });
  findings.baseline = compareWithControl(run, control);
  run.log.append('baseline.completed', 'harness', {
    run_id: control.run_id,
    status: control.status,
    reason: control.failure_reason,
  });
  if (control.status !== 'pass' && !order.signal.aborted) run.block('baseline did not pass');
}

function compareWithControl(run: Run, control: Report): NonNullable<Report['baseline']> {
  const { findings, order } = run;
  const provedSoFar = findings.blockers.length === 0 && findings.tests?.passed === true;
  return {
    run_id: control.run_id,
    status: control.status,
    paths: { fake: CONTROL_FOLDER, [order.engine.name]: '.' },
    comparison: {
      same_status: provedSoFar === (control.status === 'pass'),
      same_patch: findings.patch.sha256 === control.patch.sha256,
      changed_files: { fake: control.changed_files, [order.engine.name]: [...findings.changedFiles] },
    },
  };
}
