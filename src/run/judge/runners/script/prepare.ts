import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { binDirs, broughtProgram } from '../../patch/brought-runner.ts';
import { readScriptChannel } from '../../sandbox/channel.ts';
import {
  dirInside,
  DRIVERS,
  type Invocation,
  readOnly,
  searchPath,
  TESTS,
  writable,
  WORKSPACE,
} from '../../sandbox/layout.ts';
import { makeDir, stageDrivers, subjectMounts, testsMounts } from '../../sandbox/stage.ts';
import { machineByHand, placeByHand } from '../../sandbox/login-session.ts';
import type { JudgeRequest } from '../../types.ts';
import { broughtByPatch, missingCommand, notInstalled, type Prepared, type RunnerCommand } from '../definition.ts';
import { placeOf } from '../shared/node/installed.ts';
import { findTestProgram, type TestProgram } from '../shared/programs.ts';
import { pathInside } from '../../../../confine/path-inside.ts';

const SHELL = /^(?:.*\/)?(?:sh|bash|dash|zsh|ksh)$/;
const own = (file: string): string => `script/drivers/${file}`;

/** Any command that is not a known runner: it reports its tests itself, or nothing but an exit code. */
export async function prepareScript(
  request: JudgeRequest,
  command: RunnerCommand,
  apart: string | null,
): Promise<Prepared> {
  const argv = locateScript(request, command, apart);
  if (argv === null) return missingCommand(`no such script: ${request.testCommand}`);
  const { program, alsoStarts = [], dir = '' } = command;
  const brought = apart === null ? broughtProgram(request, argv, dir) : null;
  if (brought !== null) return broughtByPatch(brought);
  const isFile = program.includes('/');
  const isOfTree = !isFile && isProgramOfTree(request, program, dir);
  const needed = new Set(['sh', ...(isFile || isOfTree ? [] : [program])]);
  const programs: TestProgram[] = [];
  for (const name of new Set([...needed, ...(isOfTree ? ['node'] : []), ...alsoStarts])) {
    const found = await findTestProgram(request, name);
    if (found === null && needed.has(name)) return notInstalled(name);
    if (found !== null) programs.push(found);
  }
  return {
    ready: true,
    invocation: invoke(request, command, argv, programs, apart),
    toolchain: programs.map(({ tool }) => tool),
    readResults: ({ end, reports }) => readScriptChannel(reports, end.kind === 'exited' ? end.exitCode : null),
  };
}

function isProgramOfTree(request: JudgeRequest, program: string, dir: string): boolean {
  return binDirs(request, dir).some((bin) => {
    try {
      return existsSync(placeOf(request, `${bin}/${program}`));
    } catch {
      return false;
    }
  });
}

/**
 * The command with the script it names looked up: among the tests first, so that no file of the tree can stand in for a
 * sealed one. Null: the script does not exist.
 */
function locateScript(
  request: JudgeRequest,
  { program, args, dir = '' }: RunnerCommand,
  tests: string | null,
): readonly string[] | null {
  const sealed = tests ?? request.sealedTests;
  const locate = (word: string): string | null => {
    const below = word.replace(/^\.\//, '').replace(/^tests\//, '');
    if (sealed !== null && existsSync(join(sealed, below))) return `${TESTS}/${below}`;
    if (word.startsWith('/')) return word;
    return tests === null && existsSync(join(request.workspace, dir, word)) ? `${dirInside(dir)}/${word}` : null;
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
function invoke(
  request: JudgeRequest,
  command: RunnerCommand,
  argv: readonly string[],
  programs: readonly TestProgram[],
  tests: string | null,
): Invocation {
  const apart = tests !== null;
  const drivers = makeDir(request.scratch, 'judge');
  stageDrivers(drivers, 'bin', [
    [own('ok'), 'ok'],
    [own('not_ok'), 'not_ok'],
    [own(apart ? 'subject-apart' : 'subject-shared'), 'subject'],
  ]);
  const dirs = programs.flatMap((program) => program.dirs);
  const toolMounts = programs.flatMap((program) => program.mounts);
  const calls = { requests: makeDir(drivers, 'requests'), results: makeDir(drivers, 'results') };
  request.confinement.give(calls.requests);
  const { machine, mounts: ofMachine } = machineByHand(request);
  const mounts = [
    ...testsMounts(request, tests),
    readOnly(drivers, DRIVERS),
    ...(apart ? [writable(calls.requests, `${DRIVERS}/requests`)] : []),
    ...toolMounts,
    ...ofMachine,
  ];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const dir = dirInside(command.dir);
  const place = placeByHand(request);
  const ownPrograms = binDirs(request, command.dir ?? '').map((bin) => at(`${WORKSPACE}/${bin}`));
  return {
    tests: {
      argv: argv.map((word) => (word.startsWith(`${WORKSPACE}/`) ? at(word) : word)),
      env: {
        ...command.env,
        // Programs that the tree brings come last: none stands in for one of the machine.
        PATH: [searchPath([at(`${DRIVERS}/bin`), ...dirs]).PATH, ...ownPrograms].join(':'),
        SUBJECT_WORKSPACE: at(WORKSPACE),
      },
      mounts,
      channels: apart ? 2 : 1,
      cwd: dir,
      ...(machine && { machine }),
      ...(place && { place }),
    },
    subject: apart
      ? {
          kind: 'calls',
          dirs: calls,
          cell: { env: searchPath(dirs), mounts: [...subjectMounts(request), ...toolMounts], channels: 0 },
        }
      : { kind: 'shared' },
    plan: null,
  };
}
