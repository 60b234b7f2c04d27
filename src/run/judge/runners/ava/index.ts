import { withoutOptions } from '../../command/options.ts';
import type { RunnerDefinition } from '../definition.ts';
import { type PackageRunner, preparePackageRunner } from '../shared/node/invoke.ts';
import { matchPackageProgram } from '../shared/node/match.ts';
import { partsOf } from '../shared/test-names.ts';

const MAIN = 'ava/drivers/ava-main.mjs';

const RUNNER: PackageRunner = {
  wanted: { name: 'ava', entry: 'entrypoints/cli.mjs', olderEntry: 'cli.js', oldest: { major: 3, minor: 0 } },
  drivers: ['shared/node/drivers/module-reports.cjs', MAIN],
  takesSealedTests: false,
  own: {
    flags: ['-w', '--watch', '-t', '--tap', '-u', '--update-snapshots', '-v', '--verbose', '--fail-fast'],
    valued: ['--worker-threads'],
  },
  start: ({ driver }) => [driver(MAIN), '--tap', '--no-worker-threads', '--no-fail-fast'],
  selecting(ids) {
    const all = ids.map(partsOf);
    const titles = all.flatMap(({ names }) => (names.length === 0 ? [] : [names.join(' > ')]));
    // A file of which all is wanted, or a title that means something else to ava.
    const isWide = titles.length < all.length || titles.some((title) => title.startsWith('!'));
    return [...(isWide ? [] : titles.map((title) => `--match=${title}`)), ...new Set(all.map(({ file }) => file))];
  },
  forced: 'reporter, processes instead of threads',
};

export const ava: RunnerDefinition = {
  name: 'ava',
  manual: {
    commands: '`ava …`, `npx ava …`',
    calledAs:
      'ava of `node_modules` (3 or newer), own reporter in the parent process, worker processes, no `--fail-fast`; not with sealed tests',
    ids: '`test/slug.js::title`',
  },
  blackBox: false,
  match(line) {
    const call = matchPackageProgram(line, {
      runner: 'ava',
      name: 'ava',
      file: String.raw`ava/(?:entrypoints/cli\.mjs|cli\.js)`,
    });
    return call?.args[0] === 'debug' || call?.args[0] === 'reset-cache' ? null : call;
  },
  prepare: (request, command) => preparePackageRunner(request, command, RUNNER),
  select: (command, ids) => ({
    ...command,
    args: withoutOptions(command.args, { valued: ['-m', '--match'] }).filter((word) => word.startsWith('-')),
    only: ids,
  }),
  fileOf: (id) => partsOf(id).file,
};
