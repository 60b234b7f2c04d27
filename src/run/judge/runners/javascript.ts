import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerCommand } from '../command/runner-command.ts';
import { DRIVERS, type Invocation, readOnly, searchPath, TESTS, WORKSPACE } from '../sandbox/layout.ts';
import { type OwnOptions, withoutOptions } from '../command/options.ts';
import type { InstalledRunner } from './node-package.ts';
import type { TestProgram } from './programs.ts';
import { stageDrivers, testsMounts } from '../sandbox/stage.ts';
import type { JudgeRequest } from '../types.ts';

interface RunnerProfile {
  readonly drivers: readonly string[];
  readonly own: OwnOptions;
  /** Decided by the task, unless the tests belong to the tree. */
  readonly configuration: OwnOptions;
  /** `at` gives a driver's path inside. */
  readonly forced: (at: (driver: string) => string, sealed: boolean) => readonly string[];
  /** What a reader should know was decided from outside. */
  readonly saying: string;
}

const PROFILES: Readonly<Record<'vitest' | 'jest', RunnerProfile>> = {
  vitest: {
    drivers: ['vitest-reporter.mjs', 'vitest-config.mjs'],
    own: {
      flags: ['--watch', '-w', '--run', '--ui', '--open', '--fileParallelism', '--no-file-parallelism', '--silent'],
      valued: ['--reporter', '--outputFile', '--pool', '--configLoader', '--mergeReports', '--standalone'],
    },
    configuration: { valued: ['--config', '-c', '--root', '-r', '--dir', '--environment', '--project'] },
    // vite's usual loader wants to write in node_modules, and `runner` runs a postcss configuration of the tree before ours
    // has a say. Threads would share the reporter's process.
    forced: (at, sealed) => [
      'run',
      `--configLoader=${sealed ? 'native' : 'runner'}`,
      '--pool=forks',
      `--reporter=${at('vitest-reporter.mjs')}`,
      ...(sealed ? [`--config=${at('vitest-config.mjs')}`] : []),
    ],
    saying: 'reporter and forked workers',
  },
  jest: {
    drivers: ['jest-reporter.cjs', 'jest-config.cjs'],
    own: {
      flags: ['--watch', '--watchAll', '--runInBand', '-i', '--json', '--listTests', '--silent', '--verbose', '--ci'],
      valued: [
        '--reporters',
        '--outputFile',
        '--maxWorkers',
        '-w',
        '--workerIdleMemoryLimit',
        '--workerThreads',
        '--watchman',
        '--cacheDirectory',
        '--testResultsProcessor',
      ],
    },
    configuration: { valued: ['--config', '-c', '--rootDir', '--roots', '--projects', '--env', '--testEnvironment'] },
    // Without a memory limit jest runs a single file in its own process, where the reporter is.
    forced: (at, sealed) => [
      '--ci',
      '--watchman=false',
      '--maxWorkers=2',
      '--workerIdleMemoryLimit=1GB',
      '--workerThreads=false',
      `--reporters=${at('jest-reporter.cjs')}`,
      ...(sealed ? [`--config=${at('jest-config.cjs')}`] : []),
    ],
    saying: 'reporter and worker processes',
  },
};

/** vitest and jest of the tree, with reports that leave the runner's parent process. */
export function invokeJavaScript(
  request: JudgeRequest,
  command: RunnerCommand & { readonly runner: keyof typeof PROFILES },
  node: TestProgram,
  installed: InstalledRunner,
): { readonly invocation: Invocation; readonly note: string } {
  const manners = PROFILES[command.runner];
  const sealed = request.sealedTests !== null;
  const files = ['channel.cjs', 'module-reports.cjs', ...manners.drivers];
  const drivers = stageDrivers(
    request.scratch,
    'judge',
    files.map((file) => `node/${file}`),
  );
  if (sealed && command.runner === 'jest') layPackageFile(request.workspace);
  const mounts = [...testsMounts(request, null), readOnly(drivers, DRIVERS), ...node.mounts];
  const at = (path: string): string => request.confinement.pathInside(path, mounts);
  const asked = withoutOptions(command.args, manners.own);
  const args = sealed ? withoutOptions(asked, manners.configuration) : asked;
  const forced = manners.forced((driver) => at(`${DRIVERS}/${driver}`), sealed);
  return {
    invocation: {
      tests: {
        // By way of the workspace: without walls its own copy, which is the one that tests import.
        argv: [node.path, `${at(WORKSPACE)}/${installed.entry}`, ...forced, ...args],
        // Without it jest and vitest would guess by the terminal whether anybody looks on.
        env: { NODE_ENV: 'test', CI: '1', NO_COLOR: '1', ...command.env, ...searchPath(node.folders) },
        mounts,
        channels: 1,
      },
      subject: { kind: 'shared' },
      plan: { workspace: at(WORKSPACE), tests: at(TESTS), root: at(sealed ? TESTS : WORKSPACE) },
    },
    note: `${command.runner} ${installed.tool.version} of the tree, ${
      sealed ? "with the harness's configuration alone" : `with the tree's own configuration; forced: ${manners.saying}`
    }`,
  };
}

/** jest does not start where it finds no settings of a project, not even when it is told to use others. */
function layPackageFile(workspace: string): void {
  const file = join(workspace, 'package.json');
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeFileSync(file, '{}\n', { mode: 0o644 });
}
