import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { giveAnswer, readApprovalAnswer } from '../evidence/bundle/answers.ts';
import { decodeEvents, EVENTS_FILE } from '../evidence/log/events.ts';
import { type OpenQuestion, unansweredQuestions } from '../evidence/log/questions.ts';
import { safeLine } from '../evidence/report/render/text/safe-text.ts';
import type { ApprovalAnswer } from '../evidence/schema/answer.ts';
import { SeatrialError } from '../kernel/errors.ts';

/** The questions that a run under way has open. Its log may end in the middle of a line. */
export function questionsOfRunning(dir: string): readonly OpenQuestion[] {
  return unansweredQuestions(decodeEvents(readFileSync(join(dir, EVENTS_FILE))).entries);
}

interface Wanted {
  readonly ids: readonly string[];
  readonly all: boolean;
}

/** Answers questions of a run under way. The first answer to a question counts: a later one is an error that names it. */
export function answerRunning(
  dir: string,
  wanted: Wanted,
  decision: ApprovalAnswer['decision'],
): readonly ApprovalAnswer[] {
  const run = { runsDir: dirname(dir), runId: basename(dir) };
  const by = userInfo().username;
  const how = decision === 'granted' ? 'seatrial approve' : 'seatrial deny';
  return chooseQuestions(run, questionsOfRunning(dir), wanted).map((id) => {
    const given = { id, decision, by, how, at: new Date().toISOString() };
    const counted = giveAnswer(run, given);
    if (counted === null) throw new SeatrialError('usage', `${run.runId} no longer waits for an answer to ${id}`);
    if (counted !== given) throw new SeatrialError('usage', alreadyAnswered(counted));
    return counted;
  });
}

function chooseQuestions(
  run: { readonly runsDir: string; readonly runId: string },
  open: readonly OpenQuestion[],
  { ids, all }: Wanted,
): readonly string[] {
  const listed = open.map(({ id, action }) => `${id} (${safeLine(action)})`).join(', ');
  for (const id of ids) {
    if (open.some((question) => question.id === id)) continue;
    const answered = /^[a-z]+-\d+$/.test(id) ? readApprovalAnswer(run, id) : null;
    if (answered !== null) throw new SeatrialError('usage', alreadyAnswered(answered));
    throw new SeatrialError(
      'usage',
      open.length === 0
        ? `${run.runId} is under way and asks nothing at the moment`
        : `${run.runId} does not ask ${JSON.stringify(id)}; it asks ${listed}`,
    );
  }
  if (open.length === 0) throw new SeatrialError('usage', `${run.runId} is under way and asks nothing at the moment`);
  if (all) return open.map(({ id }) => id);
  if (ids.length === 0) throw new SeatrialError('usage', `no question given; ${run.runId} asks ${listed}; or --all`);
  return [...new Set(ids)];
}

export const alreadyAnswered = ({ id, decision, by, how }: ApprovalAnswer): string =>
  `${id} was already ${decision} by ${safeLine(by)} (${safeLine(how)}); the first answer counts`;

export const answerLines = (answers: readonly ApprovalAnswer[]): string[] =>
  answers.map(({ id, decision }) => `${id}: ${decision}`);
