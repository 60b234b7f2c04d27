import { landRuns } from '../../run/land/land-runs.ts';
import type { LandingOutcome, LandPorts } from '../../run/land/outcome.ts';
import type { ProvenRun } from '../../run/land/proven-run.ts';
import { createBranch, removeBranch } from '../../run/apply/move-refs.ts';
import { askTarget, openTarget } from '../../run/apply/target.ts';
import { deliverQuestion } from '../evidence/deliveries.ts';
import { SANDBOX_REMOTE } from './sandbox.ts';

export interface DeliveryRoute {
  readonly kind: 'sandbox' | 'owned';
  readonly repo: string;
  /** Directories of Seatrial inside the repository, with a slash at the end. */
  readonly guardedDirs: readonly string[];
}

export const deliveryBranch = (runId: string): string => `seatrial/${runId}`;

/**
 * Delivers the change of a run as a branch of its own, judged there once more. In a sandbox it is pushed to the sandbox's remote; in an
 * owned repository it is a question first. A branch that comes to nothing is removed again. `scratch` exists and is empty.
 */
export async function deliverRun(
  run: ProvenRun,
  { kind, repo, guardedDirs }: DeliveryRoute,
  ports: LandPorts,
  scratch: string,
): Promise<LandingOutcome> {
  const onto = deliveryBranch(run.report.run_id);
  const ref = `refs/heads/${onto}`;
  const target = await openTarget(repo, ports.caller);
  const there = await askTarget(target, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (there === '') await createBranch(target, ref, run.base, `seatrial stage: a branch for ${run.report.run_id}`);
  const options = {
    repo,
    onto,
    push: kind === 'sandbox' ? SANDBOX_REMOTE : null,
    withTests: false,
    dryRun: false,
    testCommand: null,
    acceptExitCode: false,
    question: kind === 'sandbox' ? null : deliverQuestion(onto),
    guardedDirs,
  };
  const [outcome] = await landRuns([run], options, ports, scratch);
  if (outcome !== undefined && outcome.outcome !== 'held') return outcome;
  if (there === '') await removeBranch(target, ref, run.base);
  return outcome ?? { outcome: 'held', runId: run.report.run_id, reasons: [], judgedIn: null, broken: [] };
}
