import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeTemporary } from '../../evidence/bundle/temporary.ts';
import { Command } from '@commander-js/extra-typings';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import { makeDirs, writeWhole } from '../../evidence/storage/durable.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { checkTask, type TaskCheck } from '../../run/task-check/check-task.ts';
import type { RunEnvironment } from '../../run/request.ts';
import { checkMany } from '../../run/task-check/many.ts';
import { setSentence, setsThatProveNothing } from '../../run/task-check/sets.ts';
import { countFindings, findingsHtml, findingsMarkdown } from '../../run/task-check/render.ts';
import { findSoundness } from '../../run/task-check/soundness.ts';
import { layoutOf } from '../../task/image/layout.ts';
import { recordExpectedTests } from '../../task/record-expected-tests.ts';
import { builtinTasks, findTask, readTask, type Task } from '../../task/task-directory.ts';
import { handledBy, jsonOption, parseAndRun, wholeNumber } from '../options.ts';
import { print } from '../print.ts';
import { table } from '../print/table.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { readSettings } from '../environment/settings.ts';
import { createRunEnvironment } from '../environment/run-environment.ts';

interface Flags {
  readonly record?: true | undefined;
  readonly jobs: number;
  readonly out: string;
  readonly resume?: true | undefined;
  readonly json?: true | undefined;
}

export function taskCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('task').description(
    'Tasks: what an engine is asked to do, and the tests that judge its patch.',
  );
  handledBy(command.command('list').description('list the built-in tasks'), listTasks);
  const check = command
    .command('check')
    .summary('check that a task proves what it should')
    .description(
      'Check that a task proves what it should: its oracle passes, an unchanged tree fails, and its test ids are recorded.',
    )
    .argument('[task]', 'a task directory, or the name of a built-in task')
    .option('--record', 'write the test ids of the oracle run into task.toml as expected_tests')
    .option(
      '--all <directory>',
      'check every task below this directory, and tell sound tasks from those that prove nothing',
    )
    .option('--jobs <n>', 'with --all: number of tasks at the same time', wholeNumber('--jobs', 1), 1)
    .option(
      '--out <directory>',
      'with --all: directory for findings.jsonl, findings.md and findings.html',
      '.seatrial/task-check',
    )
    .option('--resume', 'with --all: keep the findings of an earlier check, and check only what it lacks')
    .addOption(
      jsonOption('print {ok, checks: [{name, ok, detail}]}; with --all {ok, tasks: [{task, soundness, why, …}]}'),
    );
  handledBy(check, ([task], flags) =>
    flags.all === undefined ? checkOne(task, flags) : checkAll(task, flags.all, flags),
  );
  return parseAndRun(command, args.length === 0 ? ['list'] : args);
}

function listTasks(): ExitCode {
  for (const name of builtinTasks()) {
    const { terms } = readTask(findTask(name, '/'));
    process.stdout.write(
      `${name.padEnd(20)} ${(terms.test_command ?? '').padEnd(24)} ${terms.instruction.split('\n')[0]}\n`,
    );
  }
  return EXIT.pass;
}

async function checkOne(nameOrPath: string | undefined, flags: Flags): Promise<ExitCode> {
  if (nameOrPath === undefined)
    throw new SeatrialError(
      'usage',
      'no task given; give a task directory, the name of a built-in task, or --all <directory>',
    );
  const dir = findTask(nameOrPath, process.cwd());
  if (layoutOf(dir) !== 'seatrial') return checkForeign(dir, flags);
  const task = readTask(dir);
  const result = await inScratch((environment) => checkTask(task, environment, interruptible()));
  const checks = flags.record === true ? record(task, result) : result.checks;
  const ok = checks.every((check) => check.ok);
  print(flags.json, { ok, checks }, () =>
    checks.map(({ name, ok: passed, detail }) => `${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(22)} ${detail}`),
  );
  return ok ? EXIT.pass : EXIT.fail;
}

/** A task of another layout records nothing: its expected tests are those that its oracle passes. */
async function checkForeign(dir: string, flags: Flags): Promise<ExitCode> {
  if (flags.record === true)
    throw new SeatrialError(
      'usage',
      '--record writes a [seatrial] table, which only a task.toml with environment/files has',
    );
  const { soundness, why, tests, isolation } = await inScratch((environment) =>
    findSoundness(dir, environment, interruptible()),
  );
  const ok = soundness === 'proven';
  const detail = ok ? `${tests === 0 ? 'by exit code' : `${tests} tests`}, ${isolation}` : why;
  const checks = [{ name: soundness, ok, detail }];
  print(flags.json, { ok, checks }, () => [`${ok ? 'ok  ' : 'FAIL'} ${soundness.padEnd(22)} ${safeLine(detail)}`]);
  return ok ? EXIT.pass : EXIT.fail;
}

async function checkAll(task: string | undefined, root: string, flags: Flags): Promise<ExitCode> {
  if (task !== undefined) throw new SeatrialError('usage', `give a task (${task}) or --all, not both`);
  if (statSync(root, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new SeatrialError('usage', `${root} is not a directory; --all takes a directory with tasks below it`);
  const out = resolve(flags.out);
  const file = join(out, 'findings.jsonl');
  makeDirs(out);
  if (flags.resume !== true && existsSync(file)) writeWhole(file, '');
  const lines = await inScratch((environment) =>
    checkMany({
      root: resolve(root),
      file,
      jobs: flags.jobs,
      environment,
      signal: interruptible(),
      onFound: ({ task: name, soundness, why }, done, of) =>
        process.stderr.write(
          `${done}/${of}  ${soundness.padEnd(14)}  ${safeLine(name)}${why === '' ? '' : `: ${safeLine(why)}`}\n`,
        ),
    }),
  );
  if (lines.length === 0) throw new SeatrialError('usage', `there is no task below ${root}`);
  writeWhole(join(out, 'findings.md'), findingsMarkdown(root, lines));
  writeWhole(join(out, 'findings.html'), findingsHtml(root, lines));
  const ok = lines.every(({ soundness }) => soundness === 'proven');
  const empty = setsThatProveNothing(lines);
  const sets = empty.map(({ dir }) => dir);
  print(flags.json, { ok, sets_that_prove_nothing: sets, tasks: lines }, () => [
    ...table(
      ['result', 'tasks'],
      countFindings(lines).map(([soundness, n]) => [soundness, String(n)]),
    ),
    '',
    ...empty.map((set) => safeLine(setSentence(root, set))),
    `every task: ${join(flags.out, 'findings.md')}, ${join(flags.out, 'findings.html')}`,
  ]);
  return ok ? EXIT.pass : EXIT.fail;
}

/** With a runs directory that is removed in the end. */
async function inScratch<T>(work: (environment: RunEnvironment) => Promise<T>): Promise<T> {
  const scratch = makeTemporary('check');
  try {
    return await work(createRunEnvironment(readSettings(process.cwd()), { confine: 'bubblewrap', runsDir: scratch }));
  } finally {
    await removeTree(scratch);
  }
}

function record(task: Task, { checks, ids }: TaskCheck): TaskCheck['checks'] {
  if (checks.some((check) => !check.ok && check.name !== 'test ids recorded')) return checks;
  const path = join(task.dir, 'task.toml');
  try {
    refuseLinks(task.dir, path);
    writeWhole(path, recordExpectedTests(readFileSync(path, 'utf8'), ids));
  } catch (error) {
    if (error instanceof SeatrialError) throw error;
    throw new SeatrialError('usage', `cannot write ${path}; copy the task to a directory of your own`, error);
  }
  return checks.map((check) =>
    check.name === 'test ids recorded' ? { ...check, ok: true, detail: `${ids.length} recorded in task.toml` } : check,
  );
}
