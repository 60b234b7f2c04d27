import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { systemCode } from '../../kernel/errors.ts';
import { answer as answerSchema, type ApprovalAnswer } from '../schema/answer.ts';
import { parseBytes } from '../schema/document.ts';
import { linkNew } from '../storage/durable.ts';
import { answersDir } from './running.ts';

/** The run whose questions these are. */
export interface AskingRun {
  readonly runsDir: string;
  readonly runId: string;
  /** It has ended; its answers are kept beside the bundles, because a sealed one takes no further file. */
  readonly ended?: true;
}

const dirOf = ({ runsDir, runId, ended }: AskingRun): string =>
  ended === true ? join(runsDir, 'answers', runId) : answersDir(runsDir, runId);

/** The ids of an ended run name paths. */
const answerPath = (run: AskingRun, id: string): string =>
  join(dirOf(run), `${run.ended === true ? sha256(Buffer.from(id)).slice(0, 32) : id}.json`);

/** For whoever judges the change of an ended run again: one at a time. The directory exists after `openAnswers`. */
export const answersLock = (run: AskingRun): string => join(dirOf(run), 'lock');

/** For the run itself, before it asks: answers are only taken while the directory is there. */
export function openAnswers(run: AskingRun): void {
  mkdirSync(dirOf(run), { recursive: true, mode: 0o700 });
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
