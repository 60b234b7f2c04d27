import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import { reviewPatch } from '../review.ts';
import type { RunSandbox, Run } from './state.ts';
import type { Patched } from './diff.ts';

/** A second pair of eyes, where the contract asks for one. */
export async function askReview(run: Run, contract: Contract, sandbox: RunSandbox, patched: Patched): Promise<void> {
  if (contract.review === null) return;
  const review = await reviewPatch({
    contract,
    command: contract.review,
    patch: patched.patch,
    scratch: run.scratchPath('review'),
    confinement: sandbox.confinement,
    mounts: sandbox.programs.mounts,
    env: { ...contract.env, ...searchPath(sandbox.programs.folders) },
    limits: run.limits,
    mask: run.mask,
  });
  run.log.append('review.completed', 'harness', review);
  if (review.verdict === 'rejected') run.fail(reason('reviewer_rejected'));
  if (review.verdict === 'unavailable') run.block(reason('review_unavailable'));
}
