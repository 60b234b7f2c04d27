import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { systemCode } from '../../kernel/errors.ts';
import { answer as answerSchema, type ApprovalAnswer } from '../schema/answer.ts';
import { parseBytes } from '../schema/document.ts';
import { linkNew } from '../storage/durable.ts';
import { answersDir } from './running.ts';

/** The run whose questions these are. */
export interface AskingRun {
  readonly runsDir: string;
  readonly runId: string;
}

const answerPath = ({ runsDir, runId }: AskingRun, id: string): string =>
  join(answersDir(runsDir, runId), `${id}.json`);

/** For the run itself, before it asks: answers are only taken while the directory is there. */
export function openAnswers({ runsDir, runId }: AskingRun): void {
  mkdirSync(answersDir(runsDir, runId), { recursive: true, mode: 0o700 });
}

/** Gives the answer that counts, which is the first: this one or an earlier one. Null: the run no longer takes any. */
export function giveAnswer(run: AskingRun, given: ApprovalAnswer): ApprovalAnswer | null {
  try {
    return linkNew(answerPath(run, given.id), prettyJson(given)) ? given : readApprovalAnswer(run, given.id);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}

/** Null: there is none yet. One that cannot be read is a no. */
export function readApprovalAnswer(run: AskingRun, id: string): ApprovalAnswer | null {
  try {
    const parsed = parseBytes(readFileSync(answerPath(run, id)), answerSchema);
    return parsed.ok
      ? parsed.value
      : { id, decision: 'denied', by: 'seatrial', how: 'the answer cannot be read', at: new Date(0).toISOString() };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return null;
    throw error;
  }
}
