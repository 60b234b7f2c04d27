import type { TestCommand } from '../command/read.ts';
import {
  type SandboxCommand,
  DRIVERS,
  type Invocation,
  readOnly,
  searchPath,
  TESTS,
  WORKSPACE,
} from '../sandbox/layout.ts';
import { listSources, selectTestFiles } from './node-files.ts';
import type { TestProgram } from './programs.ts';
import { stageDrivers, subjectMounts, testsMounts } from '../sandbox/stage.ts';
import type { JudgeRequest } from '../types.ts';

const own = (file: string): string => `node/${file}`;
const isOption = (word: string): boolean => word.startsWith('-');

/** `tests`: the folder of asserts, when they are to be kept apart from the code. Null: no test file is selected at all. */
export function invokeNode(
  request: JudgeRequest,
  command: TestCommand,
  program: TestProgram,
  tests: string | null,
): Invocation | null {
  const apart = tests !== null;
  const sealed = tests ?? request.sealedTests;
  const prefix = sealed === null ? '' : 'tests/';
  const sources = listSources(sealed ?? request.workspace).map((path) => prefix + path);
  const files = selectTestFiles(
    sources,
    command.args.filter((word) => !isOption(word)),
  );
  if (files.length === 0) return null;

  const names = ['reporter.mjs', 'channel.cjs', ...(apart ? ['black-box.mjs', 'wire.cjs', 'plain-values.cjs'] : [])];
  const drivers = stageDrivers(request.scratch, 'judge', names.map(own));
  const mounts = [...testsMounts(request, tests), readOnly(drivers, DRIVERS), ...program.mounts];
  const at = (path: string): string => request.confinement.pathInside(path, mounts);
  const inWorkspace = (path: string): string => at(`${WORKSPACE}/${path}`);
  const reporter = [`--test-reporter=${at(`${DRIVERS}/reporter.mjs`)}`, '--test-reporter-destination=stderr'];
  const options = command.args.filter((word) => isOption(word) && !word.startsWith('--test-reporter'));
  const call = apart ? [at(`${DRIVERS}/black-box.mjs`)] : ['--test', ...files.map(inWorkspace)];
  return {
    tests: {
      argv: [program.path, ...reporter, ...options, ...call],
      env: searchPath(program.folders),
      mounts,
      channels: apart ? 2 : 1,
    },
    subject: apart ? { kind: 'worker', cell: worker(request, program) } : { kind: 'shared' },
    plan: {
      workspace: at(WORKSPACE),
      tests: at(TESTS),
      root: at(sealed === null ? WORKSPACE : TESTS),
      files: files.map(inWorkspace),
      sources: apart ? sources.map(inWorkspace) : [],
    },
  };
}

function worker(request: JudgeRequest, program: TestProgram): SandboxCommand {
  const drivers = stageDrivers(request.scratch, 'worker', ['worker.mjs', 'plain-values.cjs'].map(own));
  const mounts = [...subjectMounts(request), readOnly(drivers, DRIVERS), ...program.mounts];
  const driver = request.confinement.pathInside(`${DRIVERS}/worker.mjs`, mounts);
  return { argv: [program.path, driver], env: searchPath(program.folders), mounts, channels: 1 };
}
