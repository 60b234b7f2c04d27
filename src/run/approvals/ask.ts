import type { Run } from '../steps/state.ts';
import { decideApproval } from './decide.ts';
import { type ApprovalQuestion, questionText } from './question.ts';
import { waitForAnswer } from './wait.ts';

/** Records a question that cannot be granted, whoever might be asked. */
export function denyQuestion(run: Run, id: string, question: ApprovalQuestion, how: string): 'denied' {
  const action = actionOf(run, question);
  run.log.append('approval.requested', 'harness', { id, action });
  run.log.append('approval.denied', 'harness', { id, action, by: 'seatrial', how });
  return 'denied';
}

const actionOf = (run: Run, question: ApprovalQuestion): string =>
  run.mask.text(questionText(question)).slice(0, MAX_TEXT);

/** Asks one question of a run, by policy or of a person, and records question and answer. `signal`: whoever asks is gone. */
export async function askQuestion(
  run: Run,
  id: string,
  question: ApprovalQuestion,
  signal: AbortSignal,
): Promise<'granted' | 'denied'> {
  const { environment, watch } = run.request;
  const action = actionOf(run, question);
  const ruling = decideApproval(question, environment.approvals, environment.ask !== null);
  if (ruling.decision !== 'ask') {
    run.log.append('approval.requested', 'harness', { id, action });
    run.log.append(`approval.${ruling.decision}`, 'harness', { id, action, by: ruling.by, how: ruling.how });
    return ruling.decision;
  }
  const limitMs = environment.approvals.answerWithinSec * 1000;
  const answerBy = new Date(environment.clock.now().getTime() + limitMs).toISOString();
  run.log.append('approval.requested', 'harness', { id, action, answer_by: answerBy });
  watch.question({ runId: run.bundle.runId, id, action, answerBy });
  try {
    const { decision, by, how } = await waitForAnswer({
      bundle: run.bundle,
      id,
      text: action,
      ask: environment.ask,
      withinSec: environment.approvals.answerWithinSec,
      signal,
    });
    run.log.append(`approval.${decision}`, 'harness', { id, action, by, how });
    return decision;
  } finally {
    watch.question(null);
  }
}

const MAX_TEXT = 2000;
