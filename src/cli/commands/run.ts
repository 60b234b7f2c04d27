import { Command, Option } from 'commander';
import { chooseEngine, ENGINE_NAMES, requireMisbehaviour } from '../../engines/list.ts';
import type { Engine } from '../../engines/definition.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { misbehavingOrder } from '../../run/selftest/misbehaving.ts';
import type { RunRequest } from '../../run/request.ts';
import { inParallel } from '../../run/parallel.ts';
import { exitCodeForReport, runTask } from '../../run/run.ts';
import { directoryOption, handledBy, parseAndRun, price, wholeNumber } from '../options.ts';
import { type RunSourceFlags, resolveRunSource } from '../run-source.ts';
import { interruptible } from '../interrupt.ts';
import { exitCodeOfAll, printReports, progressFor } from '../print/run-output.ts';
import { readSettings } from '../environment/settings.ts';
import { createRunEnvironment } from '../environment/run-environment.ts';

interface Flags extends RunSourceFlags {
  readonly engine?: string;
  readonly command?: string;
  readonly misbehave?: string;
  readonly confine: 'bubblewrap' | 'none';
  readonly audit?: true;
  readonly maxRequests?: number;
  readonly maxTokens?: number;
  readonly maxCostUsd?: number;
  readonly repeat: number;
  readonly jobs: number;
  readonly runs?: string;
  readonly json?: true;
}

export function runCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('run')
    .description(
      'Prove one task: run an engine in a confined copy, judge its patch by sealed tests, and keep the evidence.',
    )
    .argument('[task]', 'a task directory, or the name of a built-in task')
    .option('--repo <path|url>', 'instead of a task: a git repository, copied; with --ask or --ask-file')
    .option('--commit <name>', 'with --repo: the commit, branch or tag to start from', 'HEAD')
    .option('--dirty', 'with --repo: start from the work tree as it stands')
    .option('--ask <text>', 'with --repo: what the engine is told')
    .option('--ask-file <file>', 'with --repo: the same from a file, or - for standard input')
    .option('--test <command>', 'with --repo: how it is tested, for example "npm test"')
    .option(
      '--setup <command>',
      'with --repo: what must run once before, with network; by lockfile unless said, "" for nothing',
    )
    .option(
      '--allow <globs...>',
      "with --repo: what may change; everything but the tests unless said, and never git hooks or Seatrial's settings",
    )
    .option(
      '--allow-deciding <globs...>',
      'let the change touch these files although they decide what the tests report (never counts as stage evidence)',
    )
    .option('--must-fix <tests...>', 'fail unless these tests (ids or files) failed before and pass now')
    .addOption(
      new Option('--accept <result>', 'accept the exit code of a command that reports no tests').choices(['exit_code']),
    )
    .option('--replay <run>', 'instead of a task: repeat a run with what its model answered then, and no model')
    .option('--engine <name>', `who does the task: ${ENGINE_NAMES.join(', ')} (fake unless said)`)
    .option('--command <line>', 'for --engine command: the shell line; the instruction comes on its standard input')
    .option('--misbehave <name>', 'for --engine fake: go wrong in a named way (see `seatrial matrix`)')
    .addOption(
      new Option('--confine <kind>', 'none is recorded and is never evidence for a stage')
        .choices(['bubblewrap', 'none'])
        .default('bubblewrap'),
    )
    .option('--audit', 'trace what the engine looks for (needs strace; slower), and digest the protected roots')
    .option(
      '--max-requests <n>',
      'end the run as failed after so many requests to the model',
      wholeNumber('--max-requests', 1),
    )
    .option('--max-tokens <n>', 'the same by tokens, in and out', wholeNumber('--max-tokens', 1))
    .option('--max-cost-usd <n>', 'the same by cost, where the prices are admitted', price('--max-cost-usd'))
    .option('--repeat <n>', 'run it n times', wholeNumber('--repeat', 1), 1)
    .option('--jobs <n>', 'how many at the same time', wholeNumber('--jobs', 1), 1)
    .option('--runs <dir>', 'where bundles go, instead of what seatrial.toml says', directoryOption('--runs'))
    .option('--json', 'print the report alone');
  return parseAndRun(
    handledBy(command, ([task], options) => prove(task, options as unknown as Flags)),
    args,
  );
}

const UNFINISHED =
  'seatrial: ended before the run was sealed; `seatrial runs recover` seals it and keeps what the engine did';

async function prove(task: string | undefined, flags: Flags): Promise<ExitCode> {
  // A wrong choice shows before anything is copied; a replayed run says itself who did it.
  const chosen = (engine = 'fake'): Engine => chooseEngine({ ...flags, engine: flags.engine ?? engine });
  if (flags.replay === undefined) chosen();
  const settings = readSettings(process.cwd());
  const asked = await resolveRunSource(task, flags);
  try {
    const engine = chosen(asked.recordedEngine);
    if (engine.usesOracle && asked.solutionDir === null) {
      throw new SeatrialError(
        'usage',
        `${asked.terms.task} has no oracle (solution/solve.sh), which the fake engine runs: give --engine`,
      );
    }
    const site = createRunEnvironment(settings, {
      confine: flags.confine,
      budgets: { max_requests: flags.maxRequests, max_tokens: flags.maxTokens, max_cost_usd: flags.maxCostUsd },
      ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    });
    const signal = interruptible(UNFINISHED);
    const progress = progressFor(flags);
    const order: RunRequest = {
      ...asked,
      // The first run would take away the files that the others start from.
      inputs: { ...asked.inputs, disposable: asked.inputs.disposable === true && flags.repeat === 1 },
      site,
      engine,
      watch: progress,
      signal,
      ...(flags.audit === true ? { audit: true } : {}),
    };
    const wanted =
      flags.misbehave === undefined ? order : misbehavingOrder(order, requireMisbehaviour(flags.misbehave));
    const orders = Array.from({ length: flags.repeat }, () => wanted);
    const reports = await inParallel(orders, flags.jobs, signal, runTask).finally(() => progress.end());
    if (flags.json === true) process.stdout.write(prettyJson(flags.repeat === 1 ? reports[0] : reports));
    else printReports(reports, orders.length);
    return exitCodeOfAll(reports.map(exitCodeForReport), orders.length);
  } finally {
    asked.dispose();
  }
}
