import {
  type SandboxCommand,
  dirInside,
  DRIVERS,
  type Invocation,
  readOnly,
  searchPath,
  TESTS,
  WORKSPACE,
} from '../../sandbox/layout.ts';
import { isTriedApart, machineByHand, placeByHand, workerByHand } from '../../sandbox/login-session.ts';
import { stageDrivers, subjectMounts, testsMounts } from '../../sandbox/stage.ts';
import type { JudgeRequest } from '../../types.ts';
import { missingCommand, notInstalled, type Prepared, type RunnerCommand } from '../definition.ts';
import { findTestProgram, type TestProgram } from '../shared/programs.ts';
import { listSources, selectTestFiles } from './files.ts';
import { loadsTypeScript, sortNodeWords } from './options.ts';
import { namePatterns } from './select.ts';
import { pathInside } from '../../../../confine/path-inside.ts';

const CHANNEL = 'shared/node/drivers/channel.cjs';
const own = (file: string): string => `node-test/drivers/${file}`;

export async function prepareNodeTest(
  request: JudgeRequest,
  command: RunnerCommand,
  apart: string | null,
): Promise<Prepared> {
  const program = await findTestProgram(request, command.program);
  if (program === null) return notInstalled(command.program);
  const invocation = invoke(request, command, program, apart);
  if (invocation === null) return missingCommand(`no test file matches: ${request.testCommand}`);
  return { ready: true, invocation, toolchain: [program.tool] };
}

/** `tests`: the directory of asserts, when they are to be kept apart from the code. Null: no test file is selected at all. */
function invoke(
  request: JudgeRequest,
  command: RunnerCommand,
  program: TestProgram,
  tests: string | null,
): Invocation | null {
  const apart = tests !== null;
  const sealed = tests ?? request.sealedTests;
  const words = sortNodeWords(command.args);
  const { dir = '', only } = command;
  const sources = sealed === null ? ownSources(request, dir, words) : sealedSources(sealed, words);
  const selected = selectTestFiles(sources, words.files);
  const wanted = only === undefined ? selected : selected.filter(isNamed(only, sealed === null ? '' : 'tests/'));
  if (wanted.length === 0) return null;

  const names = ['reporter.mjs', ...(apart ? ['black-box.mjs', 'wire.cjs', 'plain-values.cjs'] : [])];
  const drivers = stageDrivers(request.scratch, 'judge', [...names.map(own), CHANNEL]);
  const mounts = [...testsMounts(request, tests), readOnly(drivers, DRIVERS), ...program.mounts];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const base = sealed === null ? dirInside(dir) : WORKSPACE;
  const inside = (path: string): string => at(`${base}/${path}`);
  const reporter = [`--test-reporter=${at(`${DRIVERS}/${own('reporter.mjs')}`)}`, '--test-reporter-destination=stderr'];
  const call = apart ? [at(`${DRIVERS}/${own('black-box.mjs')}`)] : ['--test', ...wanted.map(inside)];
  return {
    tests: {
      argv: [program.path, ...reporter, ...words.options, ...namePatterns(only), ...call],
      env: { ...command.env, ...searchPath(program.dirs) },
      mounts,
      channels: apart ? 2 : 1,
      cwd: dirInside(dir),
    },
    subject: apart ? { kind: 'worker', cell: worker(request, program) } : { kind: 'shared' },
    plan: {
      workspace: at(WORKSPACE),
      tests: at(TESTS),
      root: at(sealed === null ? base : TESTS),
      files: wanted.map(inside),
      sources: apart ? sources.map(inside) : [],
      lenient: request.apartFiles !== undefined,
    },
  };
}

type Words = ReturnType<typeof sortNodeWords>;

function ownSources({ workspace }: JudgeRequest, dir: string, words: Words): readonly string[] {
  return listSources(dir === '' ? workspace : `${workspace}/${dir}`, loadsTypeScript(words));
}

function sealedSources(dir: string, words: Words): readonly string[] {
  return listSources(dir, loadsTypeScript(words)).map((path) => `tests/${path}`);
}

/** Ids start at the directory of the tests, which the selected files do not. */
function isNamed(ids: readonly string[], prefix: string): (file: string) => boolean {
  const files = new Set(ids.map((id) => prefix + (id.split('::', 1)[0] ?? '')));
  return (file) => files.has(file);
}

function worker(request: JudgeRequest, program: TestProgram): SandboxCommand {
  const entry = isTriedApart(request) ? 'worker-program.cjs' : 'worker.mjs';
  const files = [...new Set([entry, 'worker.mjs', 'plain-values.cjs'])];
  const drivers = stageDrivers(request.scratch, 'worker', files.map(own));
  const { machine, mounts: ofMachine } = machineByHand(request);
  const mounts = [...subjectMounts(request), readOnly(drivers, DRIVERS), ...program.mounts, ...ofMachine];
  const driver = pathInside(request.confinement, `${DRIVERS}/${own(entry)}`, mounts);
  const call = [program.path, driver];
  const place = placeByHand(request);
  const argv = isTriedApart(request) ? workerByHand(call, place, request.byHand?.away) : call;
  return {
    argv,
    env: searchPath(program.dirs),
    mounts,
    channels: 1,
    ...(machine && { machine }),
    ...(place && { place }),
  };
}
