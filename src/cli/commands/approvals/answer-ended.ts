import { userInfo } from 'node:os';
import { basename, dirname } from 'node:path';
import { answersLock, type AskingRun, giveAnswer, openAnswers } from '../../../evidence/bundle/answers.ts';
import { listRuns } from '../../../evidence/bundle/runs.ts';
import { safeLine } from '../../../evidence/report/render/text/safe-text.ts';
import type { ApprovalAnswer } from '../../../evidence/schema/answer.ts';
import type { Report } from '../../../evidence/schema/report.ts';
import { acquireLock, type Release } from '../../../evidence/storage/lock.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { openQuestions } from '../../../run/given.ts';
import { alreadyAnswered } from '../../answer-running.ts';

interface Wanted {
  readonly ids: readonly string[];
  readonly all: boolean;
}

/** The questions that a run left open when it ended and that are meant. A usage error for anything that cannot be answered. */
export function chooseOpenQuestions(report: Report, { ids, all }: Wanted, now: Date): readonly string[] {
  const open = openQuestions(report);
  if (open.length === 0)
    throw new SeatrialError('usage', `${report.run_id} asks nothing: it has no question to answer`);
  const listed = open.join(', ');
  const unknown = ids.find((id) => !open.includes(id));
  if (unknown !== undefined)
    throw new SeatrialError('usage', `${report.run_id} does not ask ${JSON.stringify(unknown)}; it asks ${listed}`);
  if (!all && ids.length === 0)
    throw new SeatrialError('usage', `no question given; ${report.run_id} asks ${listed}; or --all`);
  const chosen = all ? open : [...new Set(ids)];
  const late = report.approvals.find(
    ({ id, answer_by: by }) => chosen.includes(id) && by !== undefined && now > new Date(by),
  );
  if (late !== undefined)
    throw new SeatrialError(
      'usage',
      `${late.id} was to be answered by ${late.answer_by ?? ''}, so it counts as denied; run again to be asked again`,
    );
  return chosen;
}

/** Gives one answer to each question. Throws for the first that has another: the first answer counts. */
export function answerEnded(
  dir: string,
  ids: readonly string[],
  decision: ApprovalAnswer['decision'],
): readonly ApprovalAnswer[] {
  const run = askingRun(dir);
  openAnswers(run);
  const how = decision === 'granted' ? 'seatrial approve' : 'seatrial deny';
  return ids.map((id) => {
    const given = { id, decision, by: userInfo().username, how, at: new Date().toISOString() };
    const counted = giveAnswer(run, given) ?? given;
    // A yes whose judgement was killed may be repeated.
    if (counted !== given && (decision === 'denied' || counted.decision === 'denied'))
      throw new SeatrialError('usage', alreadyAnswered(counted));
    return counted;
  });
}

/** Holds the questions of a run while its change is judged again: a second yes is told so. */
export async function holdQuestions(dir: string, { run_id: runId }: Report, ids: readonly string[]): Promise<Release> {
  const run = askingRun(dir);
  openAnswers(run);
  try {
    return await acquireLock(answersLock(run), LOCK_PATIENCE_MS);
  } catch (error) {
    throw new SeatrialError(
      'usage',
      `${safeLine(ids.join(', '))} of ${runId} was already granted, and its change is being judged now; the first answer counts`,
      error,
    );
  }
}

const LOCK_PATIENCE_MS = 1000;

/** The run in which the change was judged again after a yes to all of these; null: there is none. */
export function judgedAgainIn(runsDir: string, { run_id: runId }: Report, ids: readonly string[]): string | null {
  const isAnswer = (other: Report | null): boolean => {
    if (other?.parent?.run_id !== runId || other.landing !== undefined) return false;
    const granted = new Set(other.approvals.filter(({ decision }) => decision === 'granted').map(({ id }) => id));
    return ids.every((id) => granted.has(id));
  };
  return listRuns(runsDir).find(({ report, state }) => state === 'sealed' && isAnswer(report))?.runId ?? null;
}

const askingRun = (dir: string): AskingRun => ({ runsDir: dirname(dir), runId: basename(dir), ended: true });
