import { withoutOptions } from '../../command/options.ts';
import type { RunnerDefinition } from '../definition.ts';
import { type PackageRunner, preparePackageRunner } from '../shared/node/invoke.ts';
import { matchPackageProgram } from '../shared/node/match.ts';
import { fileOfProject, fullNamePattern } from '../shared/node/name-pattern.ts';

/** Other things that vitest does, none of which is running tests once. */
const OTHER_VERBS = new Set(['watch', 'dev', 'bench', 'init', 'list', 'related']);

const RUNNER: PackageRunner = {
  wanted: { name: 'vitest', entry: 'vitest.mjs', oldest: { major: 3, minor: 2 } },
  drivers: [
    'shared/node/drivers/module-reports.cjs',
    'vitest/drivers/vitest-reporter.mjs',
    'vitest/drivers/vitest-config.mjs',
  ],
  own: {
    flags: [
      '--watch',
      '-w',
      '--run',
      '--ui',
      '--open',
      '--fileParallelism',
      '--no-file-parallelism',
      '--silent',
    ].concat(['-u', '--update']),
    valued: ['--reporter', '--outputFile', '--pool', '--configLoader', '--mergeReports', '--standalone'],
  },
  configuration: { valued: ['--config', '-c', '--root', '-r', '--dir', '--environment', '--project'] },
  // vite's usual loader wants to write in node_modules, and `runner` runs a postcss configuration of the tree before ours
  // has a say. Threads would share the reporter's process.
  start: ({ entry, driver, sealed }) => [
    entry,
    'run',
    `--configLoader=${sealed ? 'native' : 'runner'}`,
    '--pool=forks',
    `--reporter=${driver('vitest/drivers/vitest-reporter.mjs')}`,
    ...(sealed ? [`--config=${driver('vitest/drivers/vitest-config.mjs')}`] : []),
  ],
  selecting(ids) {
    const pattern = fullNamePattern(ids);
    return [...new Set(ids.map(fileOfProject)), ...(pattern === null ? [] : [`--testNamePattern=${pattern}`])];
  },
  forced: 'reporter and forked workers',
};

export const vitest: RunnerDefinition = {
  name: 'vitest',
  manual: {
    commands: '`vitest run …`, `npx vitest run …`',
    calledAs:
      "vitest of `node_modules` (3.2 or newer), own reporter in the parent process, forked workers, `--configLoader` `native` for our configuration and `runner` for the tree's",
    ids: '`slug.test.ts::suite > name`; with projects `\\|unit\\| slug.test.ts::…`',
  },
  blackBox: false,
  match(line) {
    const call = matchPackageProgram(line, { runner: 'vitest', name: 'vitest', file: String.raw`vitest/vitest\.mjs` });
    const [verb = '', ...rest] = call?.args ?? [];
    if (call === null || OTHER_VERBS.has(verb)) return null;
    return verb === 'run' ? { ...call, args: rest } : call;
  },
  prepare: (request, command) => preparePackageRunner(request, command, RUNNER),
  select: (command, ids) => ({
    ...command,
    args: withoutOptions(command.args, { valued: ['-t', '--testNamePattern'] }),
    only: ids,
  }),
  fileOf: fileOfProject,
};
