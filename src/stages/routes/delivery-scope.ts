import type { RepositoryStanding } from '../../admission/facts.ts';
import { STAGE_REPOSITORIES, STAGE_SCOPES } from '../../admission/stage-scopes.ts';

/** Where a change of a run at a stage is to go. */
export interface DeliveryPlace {
  readonly standing: RepositoryStanding;
  /** Null: HEAD is detached. */
  readonly branch: string | null;
  /** By the remote; null: it does not say. */
  readonly defaultBranch: string | null;
}

/** Never delivered to, whatever a remote says. */
const USUAL_DEFAULTS: readonly string[] = ['main', 'master', 'trunk'];

/** Pure: why a stage does not let a change go there; null: it does. */
export function deliveryRefusal(stage: number, { standing, branch, defaultBranch }: DeliveryPlace): string | null {
  const wanted = STAGE_REPOSITORIES[stage];
  const scope = `stage ${stage} admits "${STAGE_SCOPES[stage] ?? 'none'}"`;
  if (wanted === undefined) return scope;
  if (standing !== wanted) {
    const what =
      wanted === 'sandbox' ? 'is not a sandbox that Seatrial made' : 'is not listed as owned and noncritical';
    return `${scope}, and the repository ${what}`;
  }
  if (branch === null) return `${scope}, and no branch is checked out`;
  const isDefault = branch === defaultBranch || USUAL_DEFAULTS.includes(branch);
  return isDefault ? `${scope}, and ${branch} is a default branch` : null;
}
