import { lstatSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withoutOptions } from '../../command/options.ts';
import type { JudgeRequest } from '../../types.ts';
import type { RunnerDefinition } from '../definition.ts';
import { type PackageRunner, preparePackageRunner } from '../shared/node/invoke.ts';
import { matchPackageProgram } from '../shared/node/match.ts';
import { fileOfProject, fullNamePattern } from '../shared/node/name-pattern.ts';
import { escapePattern } from '../shared/test-names.ts';

const RUNNER: PackageRunner = {
  wanted: { name: 'jest', entry: 'bin/jest.js', oldest: { major: 29, minor: 5 } },
  drivers: ['shared/node/drivers/module-reports.cjs', 'jest/drivers/jest-reporter.cjs', 'jest/drivers/jest-config.cjs'],
  own: {
    flags: [
      '--watch',
      '--watchAll',
      '--runInBand',
      '-i',
      '--json',
      '--listTests',
      '--silent',
      '--verbose',
      '--ci',
    ].concat(['-u', '--updateSnapshot']),
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
  start: ({ entry, driver, sealed }) => [
    entry,
    '--ci',
    '--watchman=false',
    '--maxWorkers=2',
    '--workerIdleMemoryLimit=1GB',
    '--workerThreads=false',
    `--reporters=${driver('jest/drivers/jest-reporter.cjs')}`,
    ...(sealed ? [`--config=${driver('jest/drivers/jest-config.cjs')}`] : []),
  ],
  selecting(ids) {
    const pattern = fullNamePattern(ids);
    const files = [...new Set(ids.map((id) => `(?:^|/)${escapePattern(fileOfProject(id))}$`))];
    return [...(pattern === null ? [] : [`--testNamePattern=${pattern}`]), ...files];
  },
  forced: 'reporter and worker processes',
  beforeStart(request, sealed) {
    if (sealed) layPackageFile(request);
  },
};

export const jest: RunnerDefinition = {
  name: 'jest',
  manual: {
    commands: '`jest …`, `npx jest …`, `node_modules/.bin/jest …`',
    calledAs:
      'jest of `node_modules` (29.5 or newer), own reporter in the parent process, worker processes also for a single file',
    ids: 'as vitest',
  },
  blackBox: false,
  match: (line) =>
    matchPackageProgram(line, { runner: 'jest', name: 'jest', file: String.raw`jest/bin/jest(?:\.js)?` }),
  prepare: (request, command) => preparePackageRunner(request, command, RUNNER),
  select: (command, ids) => ({
    ...command,
    args: withoutOptions(command.args, { valued: ['-t', '--testNamePattern'] }),
    only: ids,
  }),
  fileOf: fileOfProject,
};

/** jest does not start where it finds no settings of a project, not even when it is told to use others. */
function layPackageFile({ workspace }: JudgeRequest): void {
  const file = join(workspace, 'package.json');
  if (lstatSync(file, { throwIfNoEntry: false }) === undefined) writeFileSync(file, '{}\n', { mode: 0o644 });
}
