import { userInfo } from 'node:os';
import type { AskPerson } from '../run/approvals.ts';

/** Null: nobody is there to answer. */
export async function askYesNo(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  // Seldom needed, so loaded then: a module of ours, since the bundle cannot import others late.
  const { readLine } = await import('./read-line.ts');
  return /^y(es)?$/i.test((await readLine(`\n${question} [y/N] `)).trim());
}

export const askOnTerminal: AskPerson = async (action) => {
  const granted = await askYesNo(`Approve "${action}"?`);
  return granted === null ? null : { granted, by: userInfo().username };
};
