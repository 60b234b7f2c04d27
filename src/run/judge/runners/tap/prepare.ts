import { withoutOptions } from '../../command/options.ts';
import { dirInside, DRIVERS, readOnly, searchPath, WORKSPACE } from '../../sandbox/layout.ts';
import { stageDrivers, testsMounts } from '../../sandbox/stage.ts';
import type { JudgeRequest } from '../../types.ts';
import { notInstalled, type Prepared, type RunnerCommand, unusableRunner } from '../definition.ts';
import { entryOf } from '../shared/node/entry-file.ts';
import { findInstalled, packageMissing, tooOld } from '../shared/node/installed.ts';
import { findTestProgram } from '../shared/programs.ts';
import { escapePattern, partsOf, plainName } from '../shared/test-names.ts';
import { pathInside } from '../../../../confine/path-inside.ts';

const WANTED = { name: 'tap', entry: 'dist/esm/run.mjs', oldest: { major: 18, minor: 0 } };
const REPORTS = 'tap/drivers/tap-reports.mjs';
const DRIVER = 'shared/node/drivers/toolchain-driver.mjs';
const SHARED = ['shared/node/drivers/channel.cjs', DRIVER, 'shared/node/drivers/tap-stream.mjs'];
const OWN = {
  flags: [
    '-b',
    '--bail',
    '-S',
    '--snapshot',
    '-w',
    '--watch',
    '-n',
    '--changed',
    '--disable-coverage',
    '--allow-incomplete-coverage',
    '--allow-empty-coverage',
    '--show-full-coverage',
    '--browser',
  ],
  valued: [
    '-R',
    '--reporter',
    '-r',
    '--reporter-arg',
    '-f',
    '--reporter-file',
    '-j',
    '--jobs',
    '-o',
    '--output-file',
  ].concat(['-d', '--output-dir', '--coverage-report', '-s', '--save']),
};

export async function prepareTap(request: JudgeRequest, command: RunnerCommand): Promise<Prepared> {
  const node = await findTestProgram(request, 'node');
  if (node === null) return notInstalled('node');
  const installed = findInstalled(request, WANTED, command.dir);
  if (installed === null) return packageMissing(request, WANTED, command.dir);
  const old = tooOld(installed, WANTED);
  if (old !== null) return unusableRunner(old);
  if (request.sealedTests !== null) {
    return unusableRunner('tap always reads the settings of the tree, so it cannot run sealed tests');
  }
  const drivers = stageDrivers(request.scratch, 'judge', [...SHARED, REPORTS]);
  const mounts = [...testsMounts(request, null), readOnly(drivers, DRIVERS), ...node.mounts];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const dir = dirInside(command.dir);
  const [first, ...args] = command.args;
  const isFile = first === 'node';
  const words = isFile ? args : tapWords(command);
  const program = isFile ? [] : [`${at(WORKSPACE)}/${installed.entry}`];
  const entry = isFile ? entryOf(args) : null;
  return {
    ready: true,
    invocation: {
      tests: {
        argv: [node.path, at(`${DRIVERS}/${DRIVER}`)],
        env: {
          NODE_ENV: 'test',
          CI: '1',
          NO_COLOR: '1',
          ...command.env,
          TAP_SNAPSHOT: '0',
          ...searchPath(node.dirs),
        },
        mounts,
        channels: 1,
      },
      subject: { kind: 'shared' },
      plan: {
        workspace: at(WORKSPACE),
        root: at(dir),
        cwd: at(dir),
        reports: at(`${DRIVERS}/${REPORTS}`),
        // What tests print on stderr is no part of the results.
        apart: true,
        perFile: isFile,
        calls: [
          { argv: [node.path, ...program, ...words], ...(entry === null ? {} : { file: at(`${dir}/${entry}`) }) },
        ],
      },
    },
    toolchain: [node.tool, installed.tool],
    note: `tap ${installed.tool.version} of the tree, with the tree's own configuration; forced: TAP, one file at a time, no coverage`,
  };
}

function tapWords({ args, only }: RunnerCommand): readonly string[] {
  const asked = withoutOptions(args[0] === 'run' ? args.slice(1) : args, OWN);
  const forced = ['run', '--reporter=tap', '--jobs=1', '--disable-coverage', '--no-bail'];
  if (only === undefined) return [...forced, ...asked];
  const all = only.map(partsOf);
  const options = withoutOptions(asked, { flags: ['-i', '--invert'], valued: ['-g', '--grep'] });
  const tops = [
    ...new Set(all.flatMap(({ names }) => names.slice(0, 1).map((name) => escapePattern(plainName(name))))),
  ];
  const isWhole = all.some(({ names }) => names.length === 0);
  const files = [...new Set(all.map(({ file }) => file))];
  return [
    ...forced,
    ...options.filter((word) => word.startsWith('-')),
    ...(isWhole ? [] : [`--grep=/^(?:${tops.join('|')})(?: \\(\\d+\\))?$/`]),
    ...files,
  ];
}
