import { userInfo } from 'node:os';
import type { AskPerson } from '../run/approvals.ts';

/** Null: nobody is there to answer. */
export async function askYesNo(question: string): Promise<boolean | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null;
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(es)?$/i.test((await lines.question(`\n${question} [y/N] `)).trim());
  } finally {
    lines.close();
  }
}

export const askOnTerminal: AskPerson = async (action) => {
  const granted = await askYesNo(`Approve "${action}"?`);
  return granted === null ? null : { granted, by: userInfo().username };
};
