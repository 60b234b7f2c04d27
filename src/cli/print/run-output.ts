import { join } from 'node:path';
import { ALL_REASONS } from '../../engines/list.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import type { RunEvent } from '../../evidence/schema/events.ts';
import { safeLine, verdictLines } from '../../evidence/report/render/terminal.ts';
import { readSetupOutputEnd, readTestOutputEnd } from '../../evidence/report/test-output.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { Retries } from '../../run/retry/attempts.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { type Progress, showProgress } from './progress.ts';

export function progressFor(flags: {
  readonly json?: true | undefined;
  readonly follow?: true | undefined;
  readonly repeat: number;
}): Progress {
  if (flags.follow === true && flags.repeat === 1) return showProgress('follow', process.stderr);
  if (flags.json === true) return showProgress('none', process.stderr);
  if (process.stderr.isTTY) return showProgress('live', process.stderr);
  return showProgress(flags.repeat === 1 ? 'plain' : 'none', process.stderr);
}

/** Says why an attempt did not pass, and what follows. */
export function attemptNotes({ note }: Pick<Progress, 'note'>): Retries['onFailed'] {
  return ({ run_id: runId, attempt = 1, status, failure_reason: why }, next) => {
    const follows = 'why' in next ? `not tried again: ${next.why}` : `attempt ${next.attempt} of ${next.of} begins`;
    note(safeLine(`attempt ${attempt} (${runId}): ${status}: ${why ?? ''}; ${follows}`));
  };
}

function terminalStyle() {
  return {
    color: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    columns: process.stdout.columns ?? 100,
  };
}

/** The verdict of a run, explained by its events. A bundle whose events cannot be read still has one. */
export function runVerdictLines(report: Report, dir: string): string[] {
  const style = terminalStyle();
  const testOutputEnd = readTestOutputEnd(join(dir, 'test.log'));
  const setupOutputEnd = readSetupOutputEnd(
    join(dir, 'backend/setup.stdout.log'),
    join(dir, 'backend/setup.stderr.log'),
  );
  return verdictLines({ report, events: eventsIn(dir), reasons: ALL_REASONS, testOutputEnd, setupOutputEnd }, style);
}

/** Empty where they cannot be read; a run that goes on may be in the middle of a line. */
export function eventsIn(dir: string): readonly RunEvent[] {
  try {
    return readEvents(join(dir, EVENTS_FILE));
  } catch {
    return [];
  }
}

/** `wanted`: how many runs were asked for; an interrupted command has fewer. */
export function reportLines(reports: readonly Report[], wanted: number): string[] {
  const [first] = reports;
  if (wanted === 1 && first !== undefined) return runVerdictLines(first, first.run_dir);
  const counted = (['pass', 'fail', 'blocked'] as const).map(
    (status) => `${reports.filter((report) => report.status === status).length} ${status}`,
  );
  const missing = wanted - reports.length;
  return [
    ...reports.map(({ status, run_id: runId, failure_reason: reason }) =>
      `${status.padEnd(7)} ${runId}  ${reason ?? ''}`.trimEnd(),
    ),
    '',
    `${reports.length} runs: ${counted.join(', ')}${missing === 0 ? '' : `, ${missing} not started`}`,
  ];
}

/** Lost evidence over a failed run over a blocked one over a pass. A run that was asked for and not started counts as blocked. */
export function exitCodeOfAll(codes: readonly ExitCode[], wanted: number): ExitCode {
  const all = codes.length < wanted ? [...codes, EXIT.blocked] : codes;
  const order: readonly ExitCode[] = [EXIT.evidenceLost, EXIT.fail, EXIT.blocked];
  return order.find((code) => all.includes(code)) ?? EXIT.pass;
}
