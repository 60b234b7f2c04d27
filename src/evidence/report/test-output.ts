import { closeSync, openSync, readSync, statSync } from 'node:fs';

const MAX_BYTES = 32 * 1024;

/** The end of what the tests printed, from `test.log`; empty if there is none. */
export function readTestOutputEnd(file: string): string {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats?.isFile() !== true) return '';
  const buffer = Buffer.alloc(Math.min(stats.size, MAX_BYTES));
  const fd = openSync(file, 'r');
  try {
    readSync(fd, buffer, 0, buffer.length, stats.size - buffer.length);
  } finally {
    closeSync(fd);
  }
  const text = buffer.toString('utf8');
  return stats.size > buffer.length ? text.slice(text.indexOf('\n') + 1) : withoutHeader(text);
}

/** The log of a judged run begins with facts about it, up to the first empty line. */
function withoutHeader(log: string): string {
  const end = log.startsWith('command:   ') ? log.indexOf('\n\n') : -1;
  return end === -1 ? log : log.slice(end + 2);
}

/** The last lines that say something. */
export function lastLines(text: string, count: number): readonly string[] {
  const lines = text.trimEnd().split('\n');
  return text.trim() === '' ? [] : lines.slice(-count);
}
