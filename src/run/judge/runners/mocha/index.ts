import { withoutOptions } from '../../command/options.ts';
import type { RunnerDefinition } from '../definition.ts';
import { type PackageRunner, preparePackageRunner } from '../shared/node/invoke.ts';
import { matchPackageProgram } from '../shared/node/match.ts';
import { fullNamePattern } from '../shared/node/name-pattern.ts';
import { partsOf } from '../shared/test-names.ts';

const REPORTER = 'mocha/drivers/mocha-reporter.cjs';

const RUNNER: PackageRunner = {
  wanted: {
    name: 'mocha',
    entry: 'bin/mocha.js',
    olderEntry: 'bin/mocha',
    oldest: { major: 3, minor: 0 },
    // Earlier versions always read test/mocha.opts or settings of the tree.
    oldestSealed: { major: 8, minor: 0 },
  },
  drivers: [REPORTER],
  isRelayed: true,
  own: {
    flags: ['-w', '--watch', '-p', '--parallel', '-b', '--bail', '--dry-run', '--pass-on-failing-test-suite'],
    valued: ['-R', '--reporter', '-O', '--reporter-option', '--reporter-options', '-j', '--jobs'],
  },
  configuration: {
    flags: ['--no-config', '--no-package'],
    valued: [
      '--config',
      '--package',
      '-r',
      '--require',
      '--import',
      '--loader',
      '--file',
      '--spec',
      '-n',
      '--node-option',
    ],
  },
  // One process: in several, hooks for all files would run for some.
  start: ({ entry, driver, sealed, installed }) => [
    entry,
    `--reporter=${driver(REPORTER)}`,
    // Versions before 6 refuse options that they do not know; the reporter switches --bail off.
    ...(installed.major < 6 ? [] : ['--no-parallel', '--no-bail', '--no-watch']),
    ...(sealed ? ['--no-config', '--no-package', '--recursive'] : []),
  ],
  sealedWords: (words, tests) => (words.some((word) => !word.startsWith('-')) ? words : [...words, tests]),
  selecting(ids) {
    const pattern = fullNamePattern(ids);
    // Version 3 has a blank before the names of tests outside of suites.
    return pattern === null ? [] : [`--grep=${pattern.replace('^', '^ ?')}`];
  },
  forced: 'reporter, one process',
};

export const mocha: RunnerDefinition = {
  name: 'mocha',
  manual: {
    commands: '`mocha …`, `npx mocha …`',
    calledAs:
      'mocha of `node_modules` (3 or newer; 8 or newer with sealed tests), own reporter in the process of the tests, no parallel workers, no `--bail`',
    ids: '`test/slug.js::suite > name`; a hook that failed by its title',
  },
  blackBox: false,
  match: (line) =>
    matchPackageProgram(line, { runner: 'mocha', name: 'mocha', file: String.raw`mocha/bin/_?mocha(?:\.js)?` }),
  prepare: (request, command) => preparePackageRunner(request, command, RUNNER),
  select: (command, ids) => ({
    ...command,
    args: withoutOptions(command.args, { flags: ['-i', '--invert'], valued: ['-g', '--grep', '-f', '--fgrep'] }),
    only: ids,
  }),
  fileOf: (id) => partsOf(id).file,
};
