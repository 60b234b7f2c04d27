import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Contract } from '../../task/contract.ts';
import { askQuestion } from '../approvals/ask.ts';
import { DECIDING_QUESTION } from '../approvals/deciding.ts';
import type { Run } from './state.ts';

/** Every action that the contract puts under approval is asked for; one no ends the run. */
export async function askApprovals(run: Run, contract: Contract): Promise<void> {
  if (contract.given?.kind === 'run') recordAnswers(run, contract.given.approved, contract.given.by);
  for (const [index, action] of contract.approvals.entries()) {
    const id = `approval-${index + 1}`;
    const decision = await askQuestion(run, id, { from: 'task', action }, run.request.signal);
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
  const { approvals, clock } = run.request.environment;
  const answer_by = new Date(clock.now().getTime() + approvals.answerLaterWithinSec * 1000).toISOString();
  for (const path of paths) {
    const id = `${DECIDING_QUESTION}${path}`;
    run.log.append('approval.requested', 'harness', { id, action: id, how: 'asked after judging', answer_by });
  }
}
