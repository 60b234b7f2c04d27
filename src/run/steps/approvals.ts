import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { decideApproval, DECIDING_QUESTION } from '../approvals.ts';
import type { Run } from './state.ts';

/** Every action that the contract puts under approval is asked for; one no ends the run. */
export async function askApprovals(run: Run, contract: Contract): Promise<void> {
  const { environment } = run.request;
  if (contract.given?.kind === 'run') recordAnswers(run, contract.given.approved, contract.given.by);
  for (const [index, action] of contract.approvals.entries()) {
    const id = `approval-${index + 1}`;
    run.log.append('approval.requested', 'harness', { id, action });
    const { decision, by, how } = await decideApproval(action, environment.approvals, environment.ask);
    run.log.append(`approval.${decision}`, 'harness', { id, action, by, how });
    if (decision === 'denied') run.block(reason('approval_denied', { action }));
  }
}

/** Answers that were given by `seatrial approve` before this run began. */
function recordAnswers(run: Run, ids: readonly string[], by: string): void {
  const how = 'seatrial approve';
  for (const id of ids) {
    run.log.append('approval.requested', 'harness', { id, action: id });
    run.log.append('approval.granted', 'harness', { id, action: id, by, how });
  }
}

/** Questions that only judging could raise. The run ends blocked with them, and `seatrial approve` answers them. */
export function leaveQuestions(run: Run, paths: readonly string[]): void {
  for (const path of paths) {
    const id = `${DECIDING_QUESTION}${path}`;
    run.log.append('approval.requested', 'harness', { id, action: id, how: 'asked after judging' });
  }
}
