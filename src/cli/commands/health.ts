import { cpus } from 'node:os';
import { Command } from 'commander';
import type { CheckResult } from '../../evidence/schema/check-report.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { FAILURES } from '../../run/selftest/failures.ts';
import { playRows } from '../../run/selftest/play.ts';
import { directoryOption, handledBy, parseAndRun, wholeNumber } from '../options.ts';
import { checkLines } from '../print/check-lines.ts';
import { inOrder } from '../print/matrix-lines.ts';
import { openPlayground } from '../environment/playground.ts';
import { checkOfRow, runSuite, CHECK_SUITES } from '../suites.ts';

interface Flags {
  readonly jobs: number;
  readonly runs?: string;
  readonly json?: true;
}

export function healthCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('health')
    .description('Every check and the failure matrix: green on a machine that has neither Case nor a model.')
    .option('--jobs <n>', 'how many at the same time', wholeNumber('--jobs', 1), cpus().length)
    .option('--runs <dir>', 'where bundles go, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print {ok, checks: [{name, ok, detail, run}]}');
  return parseAndRun(
    handledBy(command, (_args, options) => health(options as unknown as Flags)),
    args,
  );
}

async function health(flags: Flags): Promise<ExitCode> {
  const print = flags.json === true ? () => {} : (text: string) => process.stdout.write(text);
  const all: CheckResult[] = [];
  let complete = true;
  for (const [name, { load }] of Object.entries(CHECK_SUITES)) {
    const { ok: held, checks, where } = await runSuite(await load(), flags, print);
    all.push(...checks);
    complete &&= held;
    print(`${checkLines(name, checks, where)}\n`);
  }
  const matrix = await playMatrix(flags, print);
  all.push(...matrix);
  // An interrupted suite or matrix has fewer results, all of which may be good.
  const ok = complete && matrix.length === FAILURES.length && all.every((check) => check.ok);
  if (flags.json === true) process.stdout.write(prettyJson({ ok, checks: all }));
  else print(`\n${ok ? 'healthy' : 'NOT HEALTHY'}: ${all.filter((check) => check.ok).length} of ${all.length} hold\n`);
  return ok ? EXIT.pass : EXIT.fail;
}

async function playMatrix(flags: Flags, print: (text: string) => void): Promise<CheckResult[]> {
  const { order, runsDir } = openPlayground('run-all-fake', flags.runs);
  const checks = (await playRows(FAILURES, order, flags.jobs, inOrder(FAILURES, print))).map(checkOfRow);
  print(checkLines('matrix', checks, runsDir));
  return checks;
}
