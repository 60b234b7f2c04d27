import { Command } from '@commander-js/extra-typings';
import type { CheckResult } from '../../evidence/schema/check-report.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { FAILURES } from '../../run/selftest/failures.ts';
import { playRows } from '../../run/selftest/play.ts';
import { checksJsonOption, handledBy, jobsOption, parseAndRun, runsToWriteOption } from '../options.ts';
import { print } from '../print.ts';
import { checkLines, suiteLines } from '../print/check-lines.ts';
import { inOrder } from '../print/matrix-lines.ts';
import { openPlayground } from '../environment/playground.ts';
import { checkOfRow, runSuite, CHECK_SUITES } from '../suites.ts';

interface Flags {
  readonly jobs: number;
  readonly runs?: string | undefined;
  readonly json?: true | undefined;
}

export function healthCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('health')
    .description('Run every adapter check and the failure matrix. Needs no agent program and no model.')
    .addOption(jobsOption())
    .addOption(runsToWriteOption())
    .addOption(checksJsonOption());
  return parseAndRun(
    handledBy(command, (_args, options) => health(options)),
    args,
  );
}

async function health(flags: Flags): Promise<ExitCode> {
  const progress = flags.json === true ? () => {} : (text: string) => process.stdout.write(text);
  const all: CheckResult[] = [];
  let complete = true;
  for (const [name, suite] of CHECK_SUITES) {
    const result = await runSuite(suite, flags, progress);
    const { ok: passed, checks } = result;
    all.push(...checks);
    complete &&= passed;
    progress(`${suiteLines(name, result)}\n`);
  }
  const matrix = await playMatrix(flags, progress);
  all.push(...matrix);
  // An interrupted suite or matrix has fewer results, all of which may be good.
  const ok = complete && matrix.length === FAILURES.length && all.every((check) => check.ok);
  print(flags.json, { ok, checks: all }, () => {
    const passed = all.filter((check) => check.ok).length;
    return ['', `${ok ? 'healthy' : 'FAILED'}: ${passed} of ${all.length} checks passed`];
  });
  return ok ? EXIT.pass : EXIT.fail;
}

async function playMatrix(flags: Flags, progress: (text: string) => void): Promise<CheckResult[]> {
  const { request, runsDir } = openPlayground('run-all-fake', flags.runs);
  const checks = (await playRows(FAILURES, request, flags.jobs, inOrder(FAILURES, progress))).map(checkOfRow);
  progress(checkLines('matrix', checks, runsDir));
  return checks;
}
