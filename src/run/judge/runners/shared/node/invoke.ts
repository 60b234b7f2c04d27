import { type OwnOptions, withoutOptions } from '../../../command/options.ts';
import { dirInside, DRIVERS, readOnly, searchPath, TESTS, WORKSPACE } from '../../../sandbox/layout.ts';
import { stageDrivers, testsMounts } from '../../../sandbox/stage.ts';
import type { JudgeRequest } from '../../../types.ts';
import { notInstalled, type Prepared, type RunnerCommand, unusableRunner } from '../../definition.ts';
import { findTestProgram } from '../programs.ts';
import { findInstalled, type InstalledRunner, packageMissing, type PackageWanted, tooOld } from './installed.ts';
import { pathInside } from '../../../../../confine/path-inside.ts';

/** How a runner of node_modules is called so that its reports leave by the test channel. */
export interface PackageRunner {
  readonly wanted: PackageWanted;
  /** From `runners/`, beside the channel. */
  readonly drivers: readonly string[];
  /** Its reporter shares a process with the tests, and speaks through the relay. */
  readonly isRelayed?: boolean;
  /** False: nothing keeps it from the settings of the tree. */
  readonly takesSealedTests?: boolean;
  readonly own: OwnOptions;
  /** Decided by the harness for sealed tests, by the tree for its own. */
  readonly configuration?: OwnOptions;
  /** Words before those of the command; the first is the file that node starts. */
  readonly start: (call: PackageCall) => readonly string[];
  /** For sealed tests: the words with the directory of tests, as seen inside, where they name no file. */
  readonly sealedWords?: (words: readonly string[], tests: string) => readonly string[];
  /** Words that select tests, after those of the command. */
  readonly selecting?: (ids: readonly string[], sealed: boolean) => readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Shown in the report: what the harness decided although the configuration is the tree's. */
  readonly forced: string;
  readonly beforeStart?: (request: JudgeRequest, sealed: boolean) => void;
}

export interface PackageCall {
  readonly installed: InstalledRunner;
  /** The runner's own program, as seen inside. */
  readonly entry: string;
  /** Gives the path of a driver inside, by its place below `runners/`. */
  readonly driver: (file: string) => string;
  readonly sealed: boolean;
}

export async function preparePackageRunner(
  request: JudgeRequest,
  command: RunnerCommand,
  runner: PackageRunner,
): Promise<Prepared> {
  const { wanted } = runner;
  const node = await findTestProgram(request, 'node');
  if (node === null) return notInstalled('node');
  const installed = findInstalled(request, wanted, command.dir);
  if (installed === null) return packageMissing(request, wanted, command.dir);
  const old = tooOld(installed, wanted, request.sealedTests !== null);
  if (old !== null) return unusableRunner(old);

  const sealed = request.sealedTests !== null;
  if (sealed && runner.takesSealedTests === false) {
    return unusableRunner(`${wanted.name} always reads the settings of the tree, so it cannot run sealed tests`);
  }
  const relayed = runner.isRelayed === true;
  const common = ['channel.cjs', ...(relayed ? ['relay-driver.mjs', 'reports.cjs'] : [])];
  const drivers = stageDrivers(request.scratch, 'judge', [
    ...common.map((file) => `shared/node/drivers/${file}`),
    ...runner.drivers,
  ]);
  runner.beforeStart?.(request, sealed);
  const mounts = [...testsMounts(request, null), readOnly(drivers, DRIVERS), ...node.mounts];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const asked = withoutOptions(command.args, runner.own);
  const allowed = sealed ? withoutOptions(asked, runner.configuration ?? {}) : asked;
  const args = sealed ? (runner.sealedWords?.(allowed, at(TESTS)) ?? allowed) : allowed;
  const start = runner.start({
    installed,
    // By way of the workspace: without walls its own copy, which is the one that tests import.
    entry: `${at(WORKSPACE)}/${installed.entry}`,
    driver: (file) => at(`${DRIVERS}/${file}`),
    sealed,
  });
  const selecting = command.only === undefined ? [] : (runner.selecting?.(command.only, sealed) ?? []);
  const dir = dirInside(command.dir);
  const argv = [node.path, ...start, ...args, ...selecting];
  return {
    ready: true,
    invocation: {
      tests: {
        argv: relayed ? [node.path, at(`${DRIVERS}/shared/node/drivers/relay-driver.mjs`)] : argv,
        // With CI no runner writes snapshots, and none guesses by the terminal whether a person looks on. Nothing about colours: the code
        // under test may ask for such variables, and its tests set them.
        env: { NODE_ENV: 'test', CI: '1', ...runner.env, ...command.env, ...searchPath(node.dirs) },
        mounts,
        channels: 1,
        cwd: dir,
      },
      subject: { kind: 'shared' },
      plan: {
        workspace: at(WORKSPACE),
        tests: at(TESTS),
        root: at(sealed ? TESTS : dir),
        package: `${at(WORKSPACE)}/${installed.dir}`,
        entry: `${at(WORKSPACE)}/${installed.entry}`,
        sealed,
        ...(relayed ? { calls: [{ argv }], cwd: at(dir) } : {}),
      },
    },
    toolchain: [node.tool, installed.tool],
    note: `${wanted.name} ${installed.tool.version} of the tree, ${
      sealed ? "with the harness's configuration alone" : `with the tree's own configuration; forced: ${runner.forced}`
    }`,
  };
}
