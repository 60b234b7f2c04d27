import type { PreflightChecks } from '../../agents/lifecycle/preflight.ts';
import type { Project } from '../../agents/config/project.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { decideApproval } from '../../run/approvals/decide.ts';
import { landQuestion } from '../../run/land/prepare-judgement.ts';
import { approvalPolicyOf } from './run-environment.ts';
import { readSettings } from './settings.ts';

/** What a start has to ask the rest of Seatrial. */
export function projectChecks({ dir }: Pick<Project, 'dir'>): PreflightChecks {
  return {
    // As `land --unattended` decides it, with the settings that it is started with.
    mayLand: (branch) => {
      const question = { from: 'task', action: landQuestion(`refs/heads/${branch}`) } as const;
      return decideApproval(question, approvalPolicyOf(readSettings(dir), undefined), false).decision === 'granted';
    },
    tell: (line) => process.stderr.write(`${safeLine(line)}\n`),
  };
}
