import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { writeWhole } from '../../evidence/storage/durable.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { EXIT, type ExitCode } from '../../kernel/exit-codes.ts';
import { checkTask, type TaskCheck } from '../../run/check-task.ts';
import { recordExpectedTests } from '../../task/record-expected-tests.ts';
import { builtinTasks, findTask, readTask, type Task } from '../../task/task-directory.ts';
import { handledBy, jsonOption, parseAndRun } from '../options.ts';
import { print } from '../print.ts';
import { interruptible } from '../terminal/interrupt.ts';
import { readSettings } from '../environment/settings.ts';
import { createRunEnvironment } from '../environment/run-environment.ts';

interface Flags {
  readonly record?: true | undefined;
  readonly json?: true | undefined;
}

export function taskCommand(args: readonly string[]): Promise<ExitCode> {
  const command = new Command('task').description(
    'Tasks: what an engine is asked to do, and the tests that judge its patch.',
  );
  handledBy(command.command('list').description('list the built-in tasks'), listTasks);
  const check = command
    .command('check')
    .description(
      'Check that a task proves what it should: its oracle passes, an unchanged tree fails, and its test ids are recorded.',
    )
    .argument('<task>', 'a task directory, or the name of a built-in task')
    .option('--record', 'write the test ids of the oracle run into task.toml as expected_tests')
    .addOption(jsonOption('print {ok, checks: [{name, ok, detail}]}'));
  handledBy(check, ([task], flags) => checkOne(task, flags));
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

async function checkOne(nameOrPath: string, flags: Flags): Promise<ExitCode> {
  const task = readTask(findTask(nameOrPath, process.cwd()));
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-check-'));
  try {
    const environment = createRunEnvironment(readSettings(process.cwd()), { confine: 'bubblewrap', runsDir: scratch });
    const result = await checkTask(task, environment, interruptible());
    const checks = flags.record === true ? record(task, result) : result.checks;
    const ok = checks.every((check) => check.ok);
    print(flags.json, { ok, checks }, () =>
      checks.map(({ name, ok: passed, detail }) => `${passed ? 'ok  ' : 'FAIL'} ${name.padEnd(22)} ${detail}`),
    );
    return ok ? EXIT.pass : EXIT.fail;
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
