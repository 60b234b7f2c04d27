import { userInfo } from 'node:os';
import { safeLine } from '../../evidence/report/render/text/safe-text.ts';
import type { AskPerson } from '../../run/approvals/wait.ts';

/** Null: there is no terminal to ask on. */
export async function askYesNo(question: string): Promise<boolean | null> {
  const answer = await askLine(`\n${question} [y/N] `);
  return answer === null ? null : isYes(answer);
}

const isYes = (answer: string): boolean => /^y(es)?$/i.test(answer);

/** The answer without spaces around it. Null: there is no terminal to ask on. */
export async function askLine(question: string, signal?: AbortSignal): Promise<string | null> {
  if (!hasTerminal()) return null;
  // Loaded when needed. A module of ours, because the bundle can only defer those.
  const { readLine } = await import('./read-line.ts');
  return (await readLine(question, signal)).trim();
}

const hasTerminal = (): boolean => process.stdin.isTTY && process.stderr.isTTY;

/** Runs at the same time take turns at the terminal. Null: there is none. */
export function askOnTerminal(): AskPerson | null {
  if (!hasTerminal()) return null;
  let turn: Promise<unknown> = Promise.resolve();
  return (question, signal) => {
    const mine = turn.then(async () => {
      if (signal.aborted) return null;
      const answer = await askLine(`Approve: ${safeLine(question)} [y/N] `, signal);
      return answer === null ? null : { granted: isYes(answer), by: userInfo().username };
    });
    turn = mine.catch(() => {});
    return mine;
  };
}
