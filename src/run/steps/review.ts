import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import type { Copies } from '../trees/copies.ts';
import { reviewPatch } from '../review.ts';
import type { RunSandbox, Run } from './state.ts';
import type { Patched } from './diff.ts';

/** A second pair of eyes, where the contract asks for one. */
export async function askReview(
  run: Run,
  contract: Contract,
  sandbox: RunSandbox,
  patched: Patched,
  copies: Copies,
): Promise<void> {
  if (contract.review === null) return;
  const review = await reviewPatch({
    contract,
    command: contract.review,
    change: { baseDir: copies.base(), patchedDir: patched.tree },
    scratch: run.scratchPath('review'),
    confinement: sandbox.confinement,
    mounts: sandbox.programs.mounts,
    env: { ...contract.env, ...searchPath(sandbox.programs.dirs) },
    limits: run.limits,
    mask: run.mask,
  });
  run.log.append('review.completed', 'harness', review);
  if (review.verdict === 'rejected') run.fail(reason('reviewer_rejected'));
  if (review.verdict === 'unavailable') run.block(reason('review_unavailable'));
}
