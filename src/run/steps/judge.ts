import { mkdirSync } from 'node:fs';
import type { Contract } from '../../task/contract.ts';
import { judge } from '../judge/judge.ts';
import type { JudgeRequest } from '../judge/types.ts';
import type { BaseControl } from '../control/record-base.ts';
import { recordVerification } from '../judge/results/record-verification.ts';
import { testLog } from '../judge/results/test-log.ts';
import type { Provisioned } from '../provision/provision.ts';
import type { RunSandbox, Run } from './state.ts';
import type { Patched } from './diff.ts';
import type { Copies } from '../trees/copies.ts';

/** How the tests of a task with an image are judged; of any other, nothing. */
export function imageFor({ image }: Contract): Pick<JudgeRequest, 'image' | 'silentCommand'> {
  return image === undefined ? {} : { image, silentCommand: 'exit_code' };
}

/** What every judging of a task has in common, whatever tree it is of. */
export function judgeTerms(
  run: Run,
  contract: Contract,
  { confinement }: RunSandbox,
  { products, programs }: Provisioned,
): Omit<JudgeRequest, 'workspace' | 'sealedTests' | 'scratch'> {
  const { signal, environment } = run.request;
  return {
    testCommand: contract.test_command ?? '',
    expectedTests: contract.expected_tests,
    isolation: contract.isolation,
    timeoutMs: contract.verifier_timeout_sec * 1000,
    nonce: run.bundle.nonce,
    confinement,
    mask: run.mask,
    signal,
    tools: environment.tools,
    readOnly: products?.mounts ?? [],
    env: products?.env ?? {},
    programs,
    variables: contract.env ?? {},
    rebuild: products?.rebuild ?? null,
    ...imageFor(contract),
  };
}

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
  if (control !== null && contract.judging !== undefined) {
    // Loaded here: it is a fifth of the program, and tasks do without it.
    const { judgeRepositoryPatch } = await import('../judge/repository/repository-patch.ts');
    return judgeRepositoryPatch(run, contract, contract.judging, control, patched, provisioned, sandbox);
  }
  const sealedTests = copies.tests();
  const scratch = run.scratchPath('judge');
  mkdirSync(scratch);
  const result = await judge({
    ...judgeTerms(run, contract, sandbox, provisioned),
    workspace: patched.dir,
    sealedTests,
    scriptsIn: patched.scriptsIn,
    patch: patched.facts,
    scratch,
  });
  recordVerification(run, contract, result, provisioned.tools, testLog(contract, result));
  if (run.request.signal.aborted) return;
  if (result.verdict === 'blocked') run.blockForAll(result.faults);
  run.failForAll(result.faults);
}
