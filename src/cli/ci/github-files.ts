import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Report } from '../../evidence/schema/report.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';

/** GitHub drops a summary that is larger than 1 MiB. */
const MAX_SUMMARY_BYTES = 1_000_000;

/** Appends the report as Markdown to a file, such as the job summary of GitHub Actions. */
export function writeSummary(file: string, { run_dir: dir, run_id: runId }: Report): void {
  const text = readFileSync(join(dir, 'report.md'));
  const cut = text.length > MAX_SUMMARY_BYTES;
  // At the end of a line, so that no character is cut.
  const end = cut ? text.lastIndexOf(10, MAX_SUMMARY_BYTES) : text.length;
  const rest = cut ? `\n\nThe report is longer than a summary may be; the rest is in report.md of ${runId}.\n` : '';
  append(file, `${text.subarray(0, end).toString('utf8')}${rest}\n`);
}

/** Gives values to later steps of a GitHub job. */
export function writeOutputs(file: string, values: Readonly<Record<string, string>>): void {
  append(
    file,
    Object.entries(values)
      .map(([name, value]) => `${name}=${value.replaceAll(/[\r\n]/g, ' ')}\n`)
      .join(''),
  );
}

export function readEvent(path: string | undefined): unknown {
  if (path === undefined || path === '') return null;
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new SeatrialError('usage', `the event ${path} cannot be read: ${messageOf(error)}`, error);
  }
}

function append(file: string, text: string): void {
  try {
    appendFileSync(file, text);
  } catch (error) {
    throw new SeatrialError('usage', `${file} cannot be written: ${messageOf(error)}`, error);
  }
}
