import type { Approval } from '../evidence/schema/report.ts';
import type { Contract } from '../task/contract.ts';

/** `[approvals]` of seatrial.toml: what is decided beforehand, by action. */
export type ApprovalPolicy = Readonly<Record<string, 'grant' | 'deny'>>;

/** Puts one question to a person; null when nobody is there. */
export type AskPerson = (action: string) => Promise<{ readonly granted: boolean; readonly by: string } | null>;

interface Decision extends Pick<Approval, 'by' | 'how'> {
  readonly decision: 'granted' | 'denied';
}

/** File policy first, then a person; unattended without policy, the answer is no. */
export async function decideApproval(action: string, policy: ApprovalPolicy, ask: AskPerson): Promise<Decision> {
  const ruled = policy[action];
  if (ruled !== undefined)
    return { decision: ruled === 'grant' ? 'granted' : 'denied', by: 'seatrial.toml', how: 'policy' };
  const answer = await ask(action);
  if (answer === null) return { decision: 'denied', by: 'seatrial', how: 'unattended without policy' };
  return { decision: answer.granted ? 'granted' : 'denied', by: answer.by, how: 'terminal' };
}

/** The beginning of a question whether a file may decide in the version of the patch; its path follows. */
export const DECIDING_QUESTION = 'deciding:';

/** Files that a person let decide in the version of the patch, each by its whole path. */
export function approvedFiles({ given }: Pick<Contract, 'given'>): ReadonlySet<string> {
  const ids = given?.kind === 'run' ? given.approved : [];
  return new Set(ids.filter((id) => id.startsWith(DECIDING_QUESTION)).map((id) => id.slice(DECIDING_QUESTION.length)));
}
