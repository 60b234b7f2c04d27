import { closeSync, openSync, readSync, type Stats, statSync } from 'node:fs';
import { systemCode } from '../../kernel/errors.ts';

const MAX_BYTES = 32 * 1024;

/** The end of what the setup printed, from the logs of its two streams; empty if there was no setup. */
export function readSetupOutputEnd(stdoutFile: string, stderrFile: string): string {
  return [stdoutFile, stderrFile].map(readTestOutputEnd).join('');
}

/** The end of what the tests printed, from `test.log`; empty if there is none, or if something else lies on the way to it. */
export function readTestOutputEnd(file: string): string {
  const stats = statsOf(file);
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

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

/** The log of a judged run begins with facts about it, up to the first empty line. */
function withoutHeader(log: string): string {
  const end = log.startsWith('command:   ') ? log.indexOf('\n\n') : -1;
  return end === -1 ? log : log.slice(end + 2);
}

/** How runners announce a test that passed, one to a line. */
const PASSED_LINE = /^\s*(?:ok\s|--- PASS|PASSED\s)|\.\.\. ok$|\sPASSED(?:\s+\[\s*\d+%\])?$/;

/** The last lines that say something about tests that did not pass; without such lines, the last of all. */
export function lastLines(text: string, count: number): readonly string[] {
  const lines = text.trimEnd().split('\n');
  const telling = lines.filter((line) => !PASSED_LINE.test(line.trimEnd()));
  const isTelling = telling.some((line) => line.trim() !== '');
  return text.trim() === '' ? [] : (isTelling ? telling : lines).slice(-count);
}
