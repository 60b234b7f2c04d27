import { userInfo } from 'node:os';
import type { AskPerson } from '../../run/approvals.ts';

/** Null: there is no terminal to ask on. */
export async function askYesNo(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  // Loaded when needed. A module of ours, because the bundle can only defer those.
  const { readLine } = await import('./read-line.ts');
  return /^y(es)?$/i.test((await readLine(`\n${question} [y/N] `)).trim());
}

export const askOnTerminal: AskPerson = async (action) => {
  const granted = await askYesNo(`Approve "${action}"?`);
  return granted === null ? null : { granted, by: userInfo().username };
};
