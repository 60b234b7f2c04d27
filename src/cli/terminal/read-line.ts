import { createInterface } from 'node:readline/promises';

/** Asks on the terminal and waits for a line. Rejects when the signal is given. */
export async function readLine(question: string, signal?: AbortSignal): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  // While it reads, the interface takes Ctrl-C for itself.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return await (signal === undefined ? lines.question(question) : lines.question(question, { signal }));
  } finally {
    lines.close();
  }
}
