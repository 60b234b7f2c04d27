import { userInfo } from 'node:os';
import { safeLine } from '../../evidence/report/render/text/safe-text.ts';
import type { AskPerson } from '../../run/approvals/wait.ts';

/** Null: there is no terminal to ask on. */
export function askYesNo(question: string): Promise<boolean | null> {
  return askUntilClear(`\n${question} [y/N] `);
}

/** Enter alone is a no; anything else that is neither yes nor no is asked again. */
async function askUntilClear(question: string, signal?: AbortSignal): Promise<boolean | null> {
  let answer = await askLine(question, signal);
  while (answer !== null && !/^(?:y|yes|n|no)?$/i.test(answer)) answer = await askLine('Answer y or n: [y/N] ', signal);
  return answer === null ? null : /^y/i.test(answer);
}

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
      const show = (): void => void process.stderr.write(safeLine(String(signal.reason)));
      signal.addEventListener('abort', show, { once: true });
      const granted = await askUntilClear(`Approve: ${safeLine(question)} [y/N] `, signal).finally(() =>
        signal.removeEventListener('abort', show),
      );
      return granted === null ? null : { granted, by: userInfo().username };
    });
    turn = mine.catch(() => {});
    return mine;
  };
}
