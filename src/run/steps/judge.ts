import { mkdirSync } from 'node:fs';
import type { Contract } from '../../task/contract.ts';
import { judge } from '../judge/judge.ts';
import type { BaseControl } from '../control/record-base.ts';
import { recordVerification } from '../judge/results/record-verification.ts';
import { judgeRepositoryPatch } from '../judge/repository/repository-patch.ts';
import { testLog } from '../judge/results/test-log.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { RunSandbox, Run } from './state.ts';
import type { Patched } from './diff.ts';
import type { Copies } from '../trees/copies.ts';

/** Lets the sealed tests speak about the patch, in a confinement of their own. */
export async function judgePatch(
  run: Run,
  contract: Contract,
  sandbox: RunSandbox,
  patched: Patched,
  copies: Copies,
  provisioned: Provisioned,
  control: BaseControl | null,
): Promise<void> {
  if (contract.test_command === null) return;
  if (control !== null && contract.judging !== undefined)
    return judgeRepositoryPatch(run, contract, contract.judging, control, patched, provisioned, sandbox);
  const sealedTests = copies.tests();
  const scratch = run.scratchPath('judge');
  mkdirSync(scratch);
  const result = await judge({
    workspace: patched.dir,
    sealedTests,
    testCommand: contract.test_command,
    scriptsIn: patched.scriptsIn,
    patch: patched.facts,
    expectedTests: contract.expected_tests,
    isolation: contract.isolation,
    timeoutMs: contract.verifier_timeout_sec * 1000,
    nonce: run.bundle.nonce,
    scratch,
    confinement: sandbox.confinement,
    mask: run.mask,
    signal: run.request.signal,
    tools: run.request.environment.tools,
    readOnly: provisioned.products?.mounts ?? [],
    env: provisioned.products?.env ?? {},
    programs: provisioned.programs,
    variables: contract.env ?? {},
    rebuild: provisioned.products?.rebuild ?? null,
  });
  recordVerification(run, contract, result, provisioned.tools, testLog(contract, result));
  if (run.request.signal.aborted) return;
  if (result.verdict === 'blocked') run.blockForAll(result.faults);
  run.failForAll(result.faults);
}
