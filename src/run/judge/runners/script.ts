import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { trustsNodeModules } from '../brought-runner.ts';
import type { TestCommand } from '../command/read.ts';
import { DRIVERS, type Invocation, readOnly, searchPath, TESTS, writable, WORKSPACE } from '../sandbox/layout.ts';
import type { TestProgram } from './programs.ts';
import { makeDir, stageDrivers, subjectMounts, testsMounts } from '../sandbox/stage.ts';
import type { JudgeRequest } from '../types.ts';

const SHELL = /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh)$/;

/**
 * The command with the script it names looked up: among the tests first, so that no file of the tree can stand in for a
 * sealed one. Null: the script does not exist.
 */
export function locateScript(
  request: JudgeRequest,
  { program, args }: TestCommand,
  tests: string | null,
): readonly string[] | null {
  const sealed = tests ?? request.sealedTests;
  const locate = (word: string): string | null => {
    const below = word.replace(/^\.\//, '').replace(/^tests\//, '');
    if (sealed !== null && existsSync(join(sealed, below))) return `${TESTS}/${below}`;
    if (word.startsWith('/')) return word;
    return tests === null && existsSync(join(request.workspace, word)) ? `${WORKSPACE}/${word}` : null;
  };
  if (program.includes('/') && !program.startsWith('/')) {
    const script = locate(program);
    return script === null ? null : [script, ...args];
  }
  const [first, ...rest] = args;
  if (!SHELL.test(program) || first === undefined || first.startsWith('-')) return [program, ...args];
  const script = locate(first);
  return script === null ? null : [program, script, ...rest];
}

/** `argv` is a command that `locateScript` found; `programs` are those it needs. */
export function invokeScript(
  request: JudgeRequest,
  argv: readonly string[],
  programs: readonly TestProgram[],
  tests: string | null,
): Invocation {
  const apart = tests !== null;
  const drivers = makeDir(request.scratch, 'judge');
  stageDrivers(drivers, 'bin', [
    'shell/ok',
    'shell/not_ok',
    [apart ? 'shell/subject-apart' : 'shell/subject-shared', 'subject'],
  ]);
  const dirs = programs.flatMap((program) => program.folders);
  const toolMounts = programs.flatMap((program) => program.mounts);
  const calls = { requests: makeDir(drivers, 'requests'), results: makeDir(drivers, 'results') };
  request.confinement.give(calls.requests);
  const mounts = [
    ...testsMounts(request, tests),
    readOnly(drivers, DRIVERS),
    ...(apart ? [writable(calls.requests, `${DRIVERS}/requests`)] : []),
    ...toolMounts,
  ];
  const at = (path: string): string => request.confinement.pathInside(path, mounts);
  // Programs that the tree brings come last: none stands in for one of the machine.
  const treePrograms = trustsNodeModules(request) ? `:${at(WORKSPACE)}/node_modules/.bin` : '';
  return {
    tests: {
      argv: argv.map((word) => (word.startsWith(`${WORKSPACE}/`) ? at(word) : word)),
      env: {
        PATH: `${searchPath([at(`${DRIVERS}/bin`), ...dirs]).PATH}${treePrograms}`,
        SUBJECT_WORKSPACE: at(WORKSPACE),
      },
      mounts,
      channels: apart ? 2 : 1,
    },
    subject: apart
      ? {
          kind: 'calls',
          folders: calls,
          cell: { env: searchPath(dirs), mounts: [...subjectMounts(request), ...toolMounts], channels: 0 },
        }
      : { kind: 'shared' },
    plan: null,
  };
}
