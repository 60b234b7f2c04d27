import { giveAnswer, openAnswers, readApprovalAnswer } from '../../evidence/bundle/answers.ts';
import type { Bundle } from '../../evidence/bundle/bundle.ts';
import type { ApprovalAnswer } from '../../evidence/schema/answer.ts';
import { asError } from '../../kernel/errors.ts';

/** Puts one question to the person at the terminal, until the signal is given, whose reason is the answer in words. Null: there was no answer. */
export type AskPerson = (
  question: string,
  signal: AbortSignal,
) => Promise<{ readonly granted: boolean; readonly by: string } | null>;

export interface Waiting {
  readonly bundle: Pick<Bundle, 'runsDir' | 'runId'>;
  readonly id: string;
  readonly text: string;
  /** Null: there is no terminal. */
  readonly ask: AskPerson | null;
  readonly withinSec: number;
  /** Given when the run is interrupted or whoever asks is gone. */
  readonly signal: AbortSignal;
}

const LOOK_MS = 100;

/** The first answer from the terminal, from `seatrial approve` or `deny` elsewhere, or from the clock. Each is claimed in one file, so exactly one counts. */
export async function waitForAnswer({ bundle, id, text, ask, withinSec, signal }: Waiting): Promise<ApprovalAnswer> {
  openAnswers(bundle);
  const over = new AbortController();
  const give = (decision: ApprovalAnswer['decision'], by: string, how: string): ApprovalAnswer | null =>
    giveAnswer(bundle, { id, decision, by, how, at: new Date().toISOString() });
  const deny = (how: string): ApprovalAnswer | null => give('denied', 'seatrial', how);
  let answer: ApprovalAnswer | null = null;
  try {
    answer = await new Promise<ApprovalAnswer>((resolve, reject) => {
      const take = (look: () => ApprovalAnswer | null) => (): void => {
        try {
          const found = look();
          if (found !== null) resolve(found);
        } catch (error) {
          reject(asError(error));
        }
      };
      const looking = setInterval(
        take(() => readApprovalAnswer(bundle, id)),
        LOOK_MS,
      );
      const limit = setTimeout(
        take(() => deny(`not answered within ${withinSec} s`)),
        withinSec * 1000,
      );
      const stopped = take(() => deny('the run ended first'));
      signal.addEventListener('abort', stopped, { once: true });
      over.signal.addEventListener('abort', () => {
        clearInterval(looking);
        clearTimeout(limit);
        signal.removeEventListener('abort', stopped);
      });
      if (signal.aborted) stopped();
      void ask?.(text, over.signal).then(
        (said) => {
          if (said !== null) take(() => give(said.granted ? 'granted' : 'denied', said.by, 'terminal'))();
        },
        // The prompt was withdrawn, or the terminal is gone: others can still answer.
        () => {},
      );
    });
    return answer;
  } finally {
    over.abort(answer === null ? 'withdrawn' : `${answer.decision} by ${answer.by} (${answer.how})`);
  }
}
