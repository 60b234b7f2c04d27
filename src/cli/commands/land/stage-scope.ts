import type { Report } from '../../../evidence/schema/report.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { askTarget, branchName, openTarget } from '../../../run/apply/target.ts';
import { repositoryStanding } from '../../../stages/routes/owned.ts';
import { deliveryRefusal } from '../../../stages/routes/delivery-scope.ts';
import { readSettings } from '../../environment/settings.ts';

/** Throws where the stage of a run does not let its change go to this branch of this repository. */
export async function refuseOutOfScope(report: Report, repo: string, branch: string | null): Promise<void> {
  if (report.stage === null) return;
  const target = await openTarget(repo, process.env);
  const head = await askTarget(target, ['symbolic-ref', '--quiet', 'refs/remotes/origin/HEAD']);
  const refusal = deliveryRefusal(report.stage, {
    standing: repositoryStanding(repo, readSettings(process.cwd()).stages, process.env),
    branch: branch === null ? null : branchName(branch),
    defaultBranch: head === '' ? null : head.replace(/^refs\/remotes\/origin\//, ''),
  });
  if (refusal === null) return;
  throw new SeatrialError('blocked', `the change of ${report.run_id} stays where it is: ${refusal}`);
}
