import { withoutOptions } from '../../command/options.ts';
import { dirInside, DRIVERS, readOnly, searchPath, TESTS, WORKSPACE } from '../../sandbox/layout.ts';
import { stageDrivers, testsMounts } from '../../sandbox/stage.ts';
import type { JudgeRequest } from '../../types.ts';
import { missingCommand, notInstalled, type Prepared, type RunnerCommand, unusableRunner } from '../definition.ts';
import { listSources, selectSources } from '../node-test/files.ts';
import { entryOf } from '../shared/node/entry-file.ts';
import { findInstalled, packageMissing, tooOld } from '../shared/node/installed.ts';
import { findTestProgram } from '../shared/programs.ts';
import { partsOf } from '../shared/test-names.ts';
import { pathInside } from '../../../../confine/path-inside.ts';

const WANTED = { name: 'tape', entry: 'bin/tape', oldest: { major: 4, minor: 0 } };
const REPORTER = 'tape/drivers/tape-reporter.cjs';
const SHARED = ['channel.cjs', 'relay-driver.mjs', 'reports.cjs'].map((file) => `shared/node/drivers/${file}`);
/** Options of tape itself: what it loads before is for node, what it leaves out was left out by the harness. */
const OWN = { flags: ['--only', '--no-only', '--strict'], valued: ['-i', '--ignore', '--ignore-pattern'] };

/** Words for node before a file, and the files, from the directory of the command. */
interface TapeCall {
  readonly options: readonly string[];
  readonly files: readonly string[];
}

export async function prepareTape(request: JudgeRequest, command: RunnerCommand): Promise<Prepared> {
  const node = await findTestProgram(request, 'node');
  if (node === null) return notInstalled('node');
  const installed = findInstalled(request, WANTED, command.dir);
  if (installed === null) return packageMissing(request, WANTED, command.dir);
  const old = tooOld(installed, WANTED);
  if (old !== null) return unusableRunner(old);
  const { options, files } = readCall(request, command);
  const wanted = command.only === undefined ? null : new Set(command.only.map((id) => partsOf(id).file));
  const sealed = request.sealedTests !== null;
  const inTests = (file: string): string => (sealed ? file.replace(/^tests\//, '') : file);
  const chosen = files.filter((file) => wanted?.has(inTests(file)) ?? true);
  if (chosen.length === 0) return missingCommand(`no test file matches: ${request.testCommand}`);

  const drivers = stageDrivers(request.scratch, 'judge', [...SHARED, REPORTER]);
  const mounts = [...testsMounts(request, null), readOnly(drivers, DRIVERS), ...node.mounts];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const dir = dirInside(command.dir);
  return {
    ready: true,
    invocation: {
      tests: {
        argv: [node.path, at(`${DRIVERS}/shared/node/drivers/relay-driver.mjs`)],
        env: { NODE_ENV: 'test', CI: '1', ...command.env, ...searchPath(node.dirs) },
        mounts,
        channels: 1,
      },
      subject: { kind: 'shared' },
      plan: {
        workspace: at(WORKSPACE),
        root: at(sealed ? TESTS : dir),
        cwd: at(dir),
        package: `${at(WORKSPACE)}/${installed.dir}`,
        calls: chosen.map((file) => ({
          argv: [node.path, `--require=${at(`${DRIVERS}/${REPORTER}`)}`, ...options, at(`${dir}/${file}`)],
          file: at(`${dir}/${file}`),
          id: inTests(file),
        })),
      },
    },
    toolchain: [node.tool, installed.tool],
    note: `tape ${installed.tool.version} of the tree; forced: a process for each file, results taken as data`,
  };
}

/** `tape -r x 'test/*.js'`, or `node test/index.js`. */
function readCall({ workspace, sealedTests }: JudgeRequest, { args, dir = '' }: RunnerCommand): TapeCall {
  const entry = entryOf(args);
  const own = listSources(dir === '' ? workspace : `${workspace}/${dir}`, true);
  const sources = sealedTests === null ? own : listSources(sealedTests, true).map((path) => `tests/${path}`);
  const words = withoutOptions(args, OWN);
  const isLoad = (word: string | undefined): boolean => /^(?:-r|--require|--import)$/.test(word ?? '');
  const options = words.flatMap((word, at) => {
    if (isLoad(word)) return [`${word === '-r' ? '--require' : word}=${words[at + 1] ?? ''}`];
    return word.startsWith('-') ? [word] : [];
  });
  const named = words.filter((word, at) => !word.startsWith('-') && !isLoad(words[at - 1]));
  const files = selectSources(sources, named, () => true);
  return { options, files: files.length === 0 && entry !== null ? [entry] : files };
}
