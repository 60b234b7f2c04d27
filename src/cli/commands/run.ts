import { Command, Option } from '@commander-js/extra-typings';
import { requireMisbehaviour } from '../../engines/fake/index.ts';
import { ALL_REASONS, chooseEngine, ENGINE_FORMS, ENGINES } from '../../engines/list.ts';
import type { Engine, EngineOptions } from '../../engines/definition.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { misbehavingRequest } from '../../run/selftest/misbehaving.ts';
import type { RunRequest } from '../../run/request.ts';
import type { Terms } from '../../task/contract.ts';
import { inParallel } from '../../run/parallel.ts';
import { quoteWord } from '../../run/judge/command/expand/expansion.ts';
import { runAttempts } from '../../run/retry/attempts.ts';
import { exitCodeForReport } from '../../evidence/reasons/explain.ts';
import {
  handledBy,
  jsonOption,
  parseAndRun,
  price,
  runsToWriteOption,
  wholeNumber,
  workspaceOption,
} from '../options.ts';
import { print } from '../print.ts';
import {
  reviewEngineOption,
  reviewerOf,
  type ReviewFlags,
  reviewModelOption,
  reviewOption,
  withReview,
} from '../flags/review-flags.ts';
import { withRepositoryOptions } from '../flags/repository-options.ts';
import { type RunSourceFlags, resolveRunSource } from '../run-source.ts';
import { engineOptions } from '../flags/engine-flags.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { chooseAgent, requireAgent } from './admission/choose-agent.ts';
import { admittedSettings } from '../environment/repo-settings.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { attemptNotes, exitCodeOfAll, progressFor, reportLines } from '../print/run-output.ts';
import { readSettings } from '../environment/settings.ts';
import { openBaseCache } from '../environment/base-cache.ts';
import { createRunEnvironment, forRepository } from '../environment/run-environment.ts';

interface Flags extends RunSourceFlags, ReviewFlags {
  readonly engine?: string | undefined;
  readonly model?: string | undefined;
  readonly confine: 'bubblewrap' | 'none';
  readonly workspace?: 'overlay' | 'copy' | undefined;
  readonly audit?: true | undefined;
  readonly maxRequests?: number | undefined;
  readonly maxTokens?: number | undefined;
  readonly maxCostUsd?: number | undefined;
  readonly approvals?: string | undefined;
  readonly timeout?: number | undefined;
  readonly follow?: true | undefined;
  readonly workItem?: string | undefined;
  readonly retry: number;
  readonly repeat: number;
  readonly jobs: number;
  readonly json?: true | undefined;
}

export function runCommand(args: readonly string[]): Promise<ExitCode> {
  const base = withRepositoryOptions(
    new Command('run')
      .description(
        'Run an engine on a task in a sandboxed copy, judge its patch by tests that it cannot see, and keep the evidence.',
      )
      .argument('[task]', 'task directory, or the name of a built-in task'),
  )
    .option('--replay <run>', 'repeat a run with the recorded answers of its model instead of a model')
    .option('--engine <name>', `engine to run: ${ENGINE_FORMS.join(', ')} (default: fake)`)
    .option('--model <provider/model>', 'model that the engine asks, through the gateway; it must be admitted');
  for (const { name: engine, headless } of ENGINES)
    for (const { name, value, description } of headless.options)
      base.option(`--${name} <${value}>`, `with --engine ${engine}: ${description}`);
  const command = base
    .addOption(
      new Option('--confine <kind>', 'sandbox to use; `none` runs unconfined and never counts as stage evidence')
        .choices(['bubblewrap', 'none'] as const)
        .default('bubblewrap' as const),
    )
    .addOption(workspaceOption('with --repo'))
    .option(
      '--audit',
      'trace the file and network accesses of the engine (needs strace; slower), and digest the protected roots',
    )
    .option(
      '--max-requests <n>',
      'fail the run after this many requests to the model',
      wholeNumber('--max-requests', 1),
    )
    .option(
      '--max-tokens <n>',
      'fail the run before it uses more tokens than this (input + output)',
      wholeNumber('--max-tokens', 1),
    )
    .option(
      '--max-cost-usd <n>',
      'fail the run before it costs more than this; requires admitted prices',
      price('--max-cost-usd'),
    )
    .option('--approvals <file>', 'approval policy of these runs (default: policy in [approvals] of seatrial.toml)')
    .option('--timeout <seconds>', "time limit of the engine (default: the task's)", wholeNumber('--timeout', 1))
    .option('--work-item <id>', 'work item that the run is to prove; `seatrial plan check` accepts it for no other')
    .option('--follow', "show the engine's messages and tool calls as they happen, on standard error")
    .addOption(reviewOption())
    .addOption(reviewEngineOption())
    .addOption(reviewModelOption())
    .option(
      '--retry <n>',
      'after a failed attempt, tell the engine which tests failed and let it try again, at most n times; time limit and budgets cover all attempts together',
      wholeNumber('--retry', 0),
      0,
    )
    .option('--repeat <n>', 'number of runs', wholeNumber('--repeat', 1), 1)
    .option('--jobs <n>', 'number of runs at the same time', wholeNumber('--jobs', 1), 1)
    .addOption(runsToWriteOption())
    .addOption(jsonOption('print the report as JSON'))
    .addHelpText(
      'after',
      '\n  -- <program> [arguments...]  with --engine command: the same as --command, without quoting',
    );
  const { own, words } = splitAtDashes(args);
  return parseAndRun(
    handledBy(command, ([task], options) =>
      prove(task, options, withWords(engineOptions(command.opts()), options.engine, words)),
    ),
    own,
  );
}

function splitAtDashes(args: readonly string[]): {
  readonly own: readonly string[];
  readonly words: readonly string[];
} {
  const at = args.indexOf('--');
  return at < 0 ? { own: args, words: [] } : { own: args.slice(0, at), words: args.slice(at + 1) };
}

/** What stands after `--` is the engine's command, word by word. */
function withWords(options: EngineOptions, engine: string | undefined, words: readonly string[]): EngineOptions {
  if (words.length === 0) return options;
  if (engine !== 'command')
    throw new SeatrialError('usage', `${words.join(' ')}: a command after -- requires --engine command`);
  if (options['command'] !== undefined)
    throw new SeatrialError('usage', 'give the command after -- or with --command, not both');
  return { ...options, command: words.map(quoteWord).join(' ') };
}

const UNFINISHED =
  'seatrial: ended before the run was sealed; `seatrial runs recover` seals it and keeps what the engine did';

/** What the user tells this engine in every run. A replayed run was told what its contract says. */
function withInstructions(terms: Terms, own: string | undefined, { replay }: Flags): Terms {
  return own === undefined || replay !== undefined ? terms : { ...terms, engine_instructions: own };
}

function withWorkItem(terms: Terms, { workItem }: Flags): Terms {
  if (workItem === undefined) return terms;
  if (!/^[A-Za-z0-9][\w.-]{0,99}$/.test(workItem))
    throw new SeatrialError('usage', '--work-item takes the id of a work item, such as CTO-WORK-001');
  return { ...terms, work_item: workItem };
}

async function prove(task: string | undefined, flags: Flags, options: EngineOptions): Promise<ExitCode> {
  const first = await tryToProve(task, flags, options, false);
  // Changed files of the cache were not used, and are laid anew.
  return first ?? (await tryToProve(task, flags, options, true)) ?? EXIT.blocked;
}

/** Null: it is to be tried again, because the cache had changed files. */
async function tryToProve(
  task: string | undefined,
  flags: Flags,
  options: EngineOptions,
  isLast: boolean,
): Promise<ExitCode | null> {
  // A wrong choice is reported before anything is copied. A replayed run names its engine itself.
  if (flags.replay !== undefined && flags.retry > 0)
    throw new SeatrialError(
      'usage',
      '--replay repeats recorded answers, so another attempt would end the same; leave --retry out',
    );
  const isOpen = flags.replay !== undefined || (flags.repo !== undefined && flags.engine === undefined);
  if (flags.repo !== undefined && flags.engine !== undefined) requireAgent(flags.engine);
  const settings = readSettings(process.cwd());
  const { acpProfiles: profiles } = settings;
  const { model, maxRequests, maxTokens, maxCostUsd } = flags;
  const budgets = { '--max-requests': maxRequests, '--max-tokens': maxTokens, '--max-cost-usd': maxCostUsd };
  const choose = (name: string): Engine => chooseEngine(name, options, { model, budgets }, profiles);
  const chosen = isOpen ? null : choose(flags.engine ?? 'fake');
  const asked = await resolveRunSource(task, flags, openBaseCache(flags.confine, isLast ? 'first' : 'ahead'));
  try {
    const engine = chosen ?? choose(flags.engine ?? asked.recordedEngine ?? (await chooseAgent()));
    if (engine.usesOracle && asked.solutionDir === null) {
      throw new SeatrialError(
        'usage',
        `${asked.terms.task} has no oracle (solution/solve.sh) for the fake engine to run; choose another --engine`,
      );
    }
    if (process.stdin.isTTY) await (await import('./admission/first-use.ts')).admitOnFirstUse(engine.name, flags.model);
    const caller = createRunEnvironment(settings, {
      confine: flags.confine,
      ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
      budgets: { max_requests: flags.maxRequests, max_tokens: flags.maxTokens, max_cost_usd: flags.maxCostUsd },
      ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
      ...(flags.approvals === undefined ? {} : { approvals: flags.approvals }),
      ...(flags.model === undefined ? {} : { model: { engine: engine.name, name: flags.model } }),
    });
    const reviewedTerms = withReview(withWorkItem(asked.terms, flags), flags);
    const terms = withInstructions(reviewedTerms, settings.engineInstructions[engine.name], flags);
    const reviewed = reviewerOf(terms, flags, settings, {
      confine: flags.confine,
      ...(flags.workspace === undefined ? {} : { workspace: flags.workspace }),
      ...(flags.runs === undefined ? {} : { runsDir: flags.runs }),
    });
    const { repository } = terms;
    const environment = repository === null ? caller : forRepository(caller, repository.path, asked.inputs.filesDir);
    const admitted = admittedSettings(settings, engine.name, asked);
    if (admitted.note !== null) process.stderr.write(`note: ${safeLine(admitted.note)}\n`);
    const signal = interruptible(UNFINISHED);
    const progress = progressFor(flags);
    const request: RunRequest = {
      ...asked,
      ...reviewed,
      terms: flags.timeout === undefined ? terms : { ...terms, agent_timeout_sec: flags.timeout },
      // The first run may consume the files that the others start from.
      inputs: { ...asked.inputs, disposable: asked.inputs.disposable === true && flags.repeat === 1 },
      environment,
      engine,
      repoSettings: admitted.digests,
      watch: progress,
      signal,
      ...(flags.audit === true ? { audit: true } : {}),
    };
    const { misbehave } = options;
    const wanted = misbehave === undefined ? request : misbehavingRequest(request, requireMisbehaviour(misbehave));
    const requests = Array.from({ length: flags.repeat }, () => wanted);
    const retries = { max: flags.retry, onFailed: attemptNotes(progress) };
    const reports = await inParallel(requests, flags.jobs, signal, (one) => runAttempts(one, retries)).finally(() =>
      progress.end(),
    );
    if (!isLast && reports.some((report) => report.blocker_codes?.includes('cached_files_changed') === true))
      return null;
    print(flags.json, flags.repeat === 1 ? reports[0] : reports, () => reportLines(reports, requests.length));
    const codes = reports.map((report) => exitCodeForReport(report, ALL_REASONS));
    return exitCodeOfAll(codes, requests.length);
  } finally {
    await asked.dispose();
  }
}
