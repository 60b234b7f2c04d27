import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { Command, Option } from '@commander-js/extra-typings';
import { ALL_REASONS, ENGINE_NAMES, ENGINES } from '../../../engines/list.ts';
import type { EngineOptions } from '../../../engines/definition.ts';
import { loadOrCreateKey } from '../../../evidence/bundle/keys.ts';
import { openComparison, type OpenedComparison } from '../../../evidence/comparison/opened.ts';
import {
  createComparisonDir,
  readComparisonPlan,
  requireComparison,
  writePlan,
} from '../../../evidence/comparison/store.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../../kernel/exit-codes.ts';
import { engineOptions } from '../../flags/engine-flags.ts';
import { readSettings, runsToRead, runsToWrite, type Settings } from '../../environment/settings.ts';
import {
  handledBy,
  jsonOption,
  parseAndRun,
  price,
  runsToWriteOption,
  wholeNumber,
  workspaceOption,
} from '../../options.ts';
import { print } from '../../print.ts';
import { comparisonLines, resumeCommand } from '../../print/compare/lines.ts';
import { withRepositoryOptions } from '../../flags/repository-options.ts';
import { planEngine, refuseMissingOracles } from './planned-engines.ts';
import { executeComparison } from './execute.ts';
import { chosenEngines, type CompareFlags, type EngineChoice } from './flags.ts';
import { type ComparedTask, tasksOfFlags } from './sources.ts';

export function compareCommand(args: readonly string[]): Promise<ExitCode> {
  const base = withRepositoryOptions(
    new Command('compare')
      .description(
        'Run every engine on every task, several times, by a plan that is signed before the first run; print pass rates with their intervals, and keep every bundle.',
      )
      .option('--engines <names>', `engines to compare, with commas between them: ${ENGINE_NAMES.join(', ')}`)
      .option('--tasks <names>', 'names of built-in tasks and task directories, with commas between them; or all'),
  )
    .option('--repeat <n>', 'number of runs of each engine on each task', wholeNumber('--repeat', 1), 3)
    .option('--jobs <n>', 'number of runs at the same time', wholeNumber('--jobs', 1), 1)
    .option(
      '--model <engine=provider/model...>',
      'model that an engine asks; an engine with two models is compared with each',
    );
  for (const { name: engine, headless } of ENGINES)
    if (engine !== 'fake')
      for (const { name, value, description } of headless.options)
        base.option(`--${name} <${value}>`, `for ${engine}: ${description}`);
  const command = base
    .option('--max-requests <n>', 'fail a run after this many requests to the model', wholeNumber('--max-requests', 1))
    .option(
      '--max-tokens <n>',
      'fail a run before it uses more tokens than this (input + output)',
      wholeNumber('--max-tokens', 1),
    )
    .option(
      '--max-cost-usd <n>',
      'fail a run before it costs more than this; requires admitted prices',
      price('--max-cost-usd'),
    )
    .option(
      '--timeout <seconds>',
      "time limit of the engine in each run (default: the task's)",
      wholeNumber('--timeout', 1),
    )
    .option('--approvals <file>', 'approval policy of these runs (default: policy in [approvals] of seatrial.toml)')
    .addOption(
      new Option(
        '--resume [comparison]',
        'go on with a comparison that was stopped or killed (default: the last)',
      ).conflicts(['engines', 'tasks', 'repo', 'model', 'show']),
    )
    .addOption(new Option('--show [comparison]', 'show a comparison as it is now (default: the last); runs nothing'))
    .addOption(workspaceOption('with --repo'))
    .addOption(runsToWriteOption())
    .addOption(jsonOption('print the comparison as JSON'));
  return parseAndRun(
    handledBy(command, (_args, flags) => compare(flags, engineOptions(command.opts()))),
    args,
  );
}

async function compare(flags: CompareFlags, options: EngineOptions): Promise<ExitCode> {
  if (flags.show !== undefined) {
    const wanted = flags.show === true ? 'last' : flags.show;
    const dir = requireComparison(runsToRead(flags.runs, process.cwd()), wanted);
    return printed(openComparison(dir, ALL_REASONS), flags);
  }
  const settings = readSettings(process.cwd());
  const runsDir = runsToWrite(flags.runs, settings);
  if (flags.resume !== undefined) {
    const dir = requireComparison(runsDir, flags.resume === true ? 'last' : flags.resume);
    const { plan } = readComparisonPlan(dir);
    if (plan.stage !== undefined)
      throw new SeatrialError(
        'usage',
        `${plan.comparison_id} is a batch for stage ${plan.stage}; go on with \`${resumeCommand(plan)}\``,
      );
    return printed(await executeComparison(dir, flags), flags);
  }
  if (flags.engines === undefined)
    throw new SeatrialError('usage', `no engines given; give --engines with some of ${ENGINE_NAMES.join(', ')}`);
  const chosen = chosenEngines(flags, options, settings.acpProfiles);
  if (process.stdin.isTTY)
    for (const { engine, model } of chosen)
      await (await import('../admission/first-use.ts')).admitOnFirstUse(engine, model ?? undefined);
  const tasks = await tasksOfFlags(flags, runsDir);
  const dir = await declared(flags, chosen, tasks, settings);
  return printed(await executeComparison(dir, flags, tasks), flags);
}

/** Writes the plan. */
async function declared(
  flags: CompareFlags,
  chosen: readonly EngineChoice[],
  tasks: readonly ComparedTask[],
  settings: Settings,
): Promise<string> {
  try {
    const engines = chosen.map((choice) => planEngine(choice, settings));
    refuseMissingOracles(engines, tasks, settings);
    const now = new Date();
    const key = loadOrCreateKey(process.env);
    const dir = createComparisonDir(runsToWrite(flags.runs, settings), now, process.pid);
    writePlan(
      dir,
      {
        schema_version: 1,
        comparison_id: basename(dir),
        declared_at: now.toISOString(),
        nonce: randomBytes(16).toString('hex'),
        engines,
        tasks: tasks.map(({ name, source, taskSha256 }) => ({ name, source, task_sha256: taskSha256 })),
        repeat: flags.repeat,
        agent_timeout_sec: flags.timeout ?? null,
        budgets: {
          max_requests: flags.maxRequests ?? null,
          max_tokens: flags.maxTokens ?? null,
          max_cost_usd: flags.maxCostUsd ?? null,
        },
      },
      key,
    );
    return dir;
  } catch (error) {
    await Promise.all(tasks.map(({ asked }) => asked.dispose()));
    throw error;
  }
}

/** A fail of an engine is a result. What is not complete, or says nothing about one of the engines, is none. */
function printed(comparison: OpenedComparison, { json }: CompareFlags): ExitCode {
  const { result, dir, faults } = comparison;
  print(json, { ...result, comparison_dir: dir }, () => comparisonLines(comparison));
  if (faults.length > 0) return EXIT.fail;
  const isJudged = result.engines.every(({ passed, failed }) => passed + failed > 0);
  return result.complete && isJudged ? EXIT.pass : EXIT.blocked;
}
