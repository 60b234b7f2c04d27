import { Command, Option } from 'commander';
import { chooseEngine, requireMisbehaviour } from '../engines/registry.ts';
import { verdictLines } from '../evidence/render/terminal.ts';
import type { Report } from '../evidence/schema/report.ts';
import { prettyJson } from '../kernel/canonical.ts';
import { SeatrialError } from '../kernel/errors.ts';
import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';
import { misbehavingOrder } from '../run/misbehaving.ts';
import { inParallel } from '../run/parallel.ts';
import { exitCodeOf, runTask } from '../run/run-task.ts';
import { findTask, readTask } from '../task/read.ts';
import { handledBy, parseAndRun, wholeNumber } from './arguments.ts';
import { interruptible } from './interrupt.ts';
import { type Progress, showProgress } from './progress.ts';
import { readSettings } from './settings.ts';
import { openSite } from './site.ts';

interface Flags {
  readonly engine: string;
  readonly command?: string;
  readonly misbehave?: string;
  readonly confine: 'bubblewrap' | 'none';
  readonly repeat: number;
  readonly jobs: number;
  readonly runs?: string;
  readonly json?: true;
}

export function run(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('run')
    .description(
      'Prove one task: run an engine in a confined copy, judge its patch by sealed tests, and keep the evidence.',
    )
    .argument('<task>', 'a task directory, or the name of a built-in task')
    .option('--engine <name>', 'who does the task: fake, command', 'fake')
    .option('--command <line>', 'for --engine command: the shell line; the instruction comes on its standard input')
    .option('--misbehave <name>', 'for --engine fake: go wrong in a named way (see `seatrial matrix`)')
    .addOption(
      new Option('--confine <kind>', 'none is recorded and is never evidence for a stage')
        .choices(['bubblewrap', 'none'])
        .default('bubblewrap'),
    )
    .option('--repeat <n>', 'run it n times', wholeNumber('--repeat', 1), 1)
    .option('--jobs <n>', 'how many at the same time', wholeNumber('--jobs', 1), 1)
    .option('--runs <dir>', 'where bundles go, instead of what seatrial.toml says')
    .option('--json', 'print the report alone');
  return parseAndRun(
    handledBy(command, ([task = ''], options) => prove(task, options as unknown as Flags)),
    args,
  );
}

async function prove(nameOrPath: string, flags: Flags): Promise<ExitCode> {
  const engine = chooseEngine(flags);
  const task = readTask(findTask(nameOrPath, process.cwd()));
  const site = openSite(readSettings(process.cwd()), {
    confine: flags.confine,
    ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
  });
  const signal = interruptible();
  const progress = progressFor(flags);
  const order = {
    site,
    terms: task.terms,
    inputs: task,
    solutionDir: task.solutionDir,
    taskDir: task.dir,
    engine,
    watch: progress,
    signal,
  };
  const wanted = flags.misbehave === undefined ? order : misbehavingOrder(order, requireMisbehaviour(flags.misbehave));
  if (engine.usesOracle && task.solutionDir === null) {
    throw new SeatrialError(
      'usage',
      `task ${task.name} has no solution/solve.sh, which the fake engine runs: give --engine`,
    );
  }
  const reports = await inParallel(
    Array.from({ length: flags.repeat }, () => wanted),
    flags.jobs,
    signal,
    runTask,
  ).finally(() => progress.end());
  if (flags.json === true) process.stdout.write(prettyJson(flags.repeat === 1 ? reports[0] : reports));
  else print(reports);
  return worst(reports.map(exitCodeOf));
}

function progressFor(flags: Flags): Progress {
  if (flags.json === true) return showProgress('none', process.stderr);
  if (process.stderr.isTTY) return showProgress('live', process.stderr);
  return showProgress(flags.repeat === 1 ? 'plain' : 'none', process.stderr);
}

function print(reports: readonly Report[]): void {
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
function worst(codes: readonly ExitCode[]): ExitCode {
  const order: readonly ExitCode[] = [EXIT.evidenceLost, EXIT.fail, EXIT.blocked];
  return order.find((code) => codes.includes(code)) ?? EXIT.pass;
}
