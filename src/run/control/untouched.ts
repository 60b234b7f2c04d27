import { mkdirSync } from 'node:fs';
import { passedCheck } from '../../admission/checks/check.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { judge } from '../judge/judge.ts';
import { recordChecks } from '../../admission/checks/record-checks.ts';
import { endIfRefused } from '../refuse.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { Copies } from '../trees/copies.ts';
import { judgeTerms } from '../steps/judge.ts';
import type { Run, RunSandbox } from '../steps/state.ts';

/** Blocks where the tests of a task pass without any work: no engine could show anything then. */
export async function refuseUntouchedPass(
  run: Run,
  contract: Contract,
  sandbox: RunSandbox,
  copies: Copies,
  provisioned: Provisioned,
): Promise<void> {
  const scratch = run.scratchPath('untouched');
  mkdirSync(scratch);
  const result = await judge({
    ...judgeTerms(run, contract, sandbox, provisioned),
    workspace: await copies.base(),
    sealedTests: copies.tests(),
    scratch,
  });
  if (run.request.signal.aborted) return;
  if (result.verdict === 'blocked') run.blockForAll(result.faults);
  if (result.passed) run.block(reason('task_proves_nothing', { why: 'its tests pass when nothing was done' }));
  const failing = result.seen.filter(({ outcome }) => outcome !== 'passed').length;
  const detail = result.seen.length === 0 ? 'by exit code' : `${failing} of ${result.seen.length} tests fail`;
  endIfRefused(run, recordChecks(run, [passedCheck('doing nothing fails', detail)]));
}
