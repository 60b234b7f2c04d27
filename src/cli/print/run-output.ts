import { verdictLines } from '../../evidence/report/render/terminal.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { type Progress, showProgress } from './progress.ts';

export function progressFor(flags: { readonly json?: true; readonly repeat: number }): Progress {
  if (flags.json === true) return showProgress('none', process.stderr);
  if (process.stderr.isTTY) return showProgress('live', process.stderr);
  return showProgress(flags.repeat === 1 ? 'plain' : 'none', process.stderr);
}

export function printReports(reports: readonly Report[]): void {
  const style = {
    color: process.stdout.isTTY && process.env['NO_COLOR'] === undefined,
    columns: process.stdout.columns ?? 100,
  };
  const [first] = reports;
  if (reports.length === 1 && first !== undefined) {
    process.stdout.write(`${verdictLines(first, style).join('\n')}\n`);
    return;
  }
  for (const report of reports) {
    process.stdout.write(
      `${report.status.padEnd(7)} ${report.run_id}${report.failure_reason === null ? '' : `  ${report.failure_reason}`}\n`,
    );
  }
  const counted = (['pass', 'fail', 'blocked'] as const).map(
    (status) => `${reports.filter((report) => report.status === status).length} ${status}`,
  );
  process.stdout.write(`\n${reports.length} runs: ${counted.join(', ')}\n`);
}

/** Lost evidence over a failed run over a blocked one over a pass. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  const order: readonly ExitCode[] = [EXIT.evidenceLost, EXIT.fail, EXIT.blocked];
  return order.find((code) => codes.includes(code)) ?? EXIT.pass;
}
