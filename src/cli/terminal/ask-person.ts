import { userInfo } from 'node:os';
import type { AskPerson } from '../../run/approvals.ts';

/** Null: there is no terminal to ask on. */
export async function askYesNo(question: string): Promise<boolean | null> {
  const answer = await askLine(`\n${question} [y/N] `);
  return answer === null ? null : /^y(es)?$/i.test(answer);
}

/** The answer without spaces around it. Null: there is no terminal to ask on. */
export async function askLine(question: string): Promise<string | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  // Loaded when needed. A module of ours, because the bundle can only defer those.
  const { readLine } = await import('./read-line.ts');
  return (await readLine(question)).trim();
}

export const askOnTerminal: AskPerson = async (action) => {
  const granted = await askYesNo(`Approve "${action}"?`);
  return granted === null ? null : { granted, by: userInfo().username };
};
