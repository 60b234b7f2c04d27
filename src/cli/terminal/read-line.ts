import { createInterface } from 'node:readline/promises';

/** Asks on the terminal and waits for a line. */
export async function readLine(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return await lines.question(question);
  } finally {
    lines.close();
  }
}
