import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Report, Review } from '../../evidence/schema/report.ts';
import type { Contract } from '../../task/contract.ts';
import { searchPath } from '../judge/sandbox/layout.ts';
import type { Copies } from '../trees/copies.ts';
import type { RunRequest } from '../request.ts';
import { reviewByCommand } from '../review/command.ts';
import { reviewByEngine } from '../review/engine.ts';
import type { RunSandbox, Run } from './state.ts';
import type { Patched } from './diff.ts';

/** A second pair of eyes, where the contract asks for one. It can stop a change, never prove one. */
export async function askReview(
  run: Run,
  contract: Contract,
  sandbox: RunSandbox,
  patched: Patched,
  copies: Copies,
  runTask: (request: RunRequest) => Promise<Report>,
): Promise<void> {
  const { reviewer } = run.request;
  if (reviewer === undefined && contract.review === null) return;
  const change = { baseDir: await copies.base(), patchedDir: patched.tree, ...patched.facts };
  const ask = (): Promise<Review> | null => {
    if (reviewer !== undefined) return reviewByEngine(run, contract, sandbox, reviewer, change, runTask);
    if (contract.review === null) return null;
    return reviewByCommand({
      contract,
      command: contract.review,
      change,
      scratch: run.scratchPath('review'),
      confinement: sandbox.confinement,
      mounts: sandbox.programs.mounts,
      env: { ...contract.env, ...searchPath(sandbox.programs.dirs) },
      limits: run.limits,
      mask: run.mask,
    });
  };
  const review = await ask();
  if (review === null) return;
  run.log.append('review.completed', 'harness', review);
  if (review.verdict === 'rejected') run.fail(reason('reviewer_rejected'));
  if (review.verdict === 'unavailable') run.block(reason('review_unavailable'));
}
