import { BUILD, DRIVERS, readOnly, searchPath, TESTS, writable, WORKSPACE } from '../../sandbox/layout.ts';
import { makeDir, stageDrivers, testsMounts } from '../../sandbox/stage.ts';
import type { JudgeRequest } from '../../types.ts';
import { missingCommand, notInstalled, type Prepared, type RunnerCommand } from '../definition.ts';
import { findTestProgram, type TestProgram } from './programs.ts';
import { pathInside } from '../../../../confine/path-inside.ts';

const DRIVER = 'shared/node/drivers/toolchain-driver.mjs';

/** A program that prints what its tests did, and the module that reads it. */
export interface ToolchainRunner {
  /** From `runners/`; exports `read(plan, say)`. */
  readonly reports: string;
  /** Further drivers. */
  readonly drivers?: readonly string[];
  /** Finds its program, or says what blocks; absent: among the programs of the machine. */
  readonly find?: (request: JudgeRequest, command: RunnerCommand) => Promise<TestProgram | Prepared>;
  /** How to call it; null: the command selects none of the sealed tests. */
  call(place: ToolchainPlace): ToolchainCall | null;
}

export interface ToolchainPlace {
  readonly sealed: boolean;
  readonly args: readonly string[];
  readonly only: readonly string[] | undefined;
  /** The directory of the command, as seen inside. */
  readonly dir: string;
  /** The name that a path has for the command. */
  readonly at: (path: string) => string;
}

export interface ToolchainCall {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly note: string;
  /** The words are the whole command: the program's own path is not put before them. */
  readonly isWhole?: boolean;
  /** For the reader. */
  readonly plan?: Readonly<Record<string, unknown>>;
}

/**
 * `go test` and its like: programs that build or start tests, and say on stdout what came of it. A driver starts them and
 * reads that; the channel is its alone.
 */
export async function prepareToolchain(
  request: JudgeRequest,
  command: RunnerCommand,
  runner: ToolchainRunner,
  dir: string,
): Promise<Prepared> {
  const program = await (runner.find ?? findOnMachine)(request, command);
  if ('ready' in program) return program;
  const node = await findTestProgram(request, 'node');
  if (node === null) return notInstalled('node');
  const sealed = request.sealedTests !== null;
  const drivers = stageDrivers(request.scratch, 'judge', [
    'shared/node/drivers/channel.cjs',
    DRIVER,
    runner.reports,
    ...(runner.drivers ?? []),
  ]);
  const build = makeDir(request.scratch, 'build');
  request.confinement.give(build);
  const mounts = [
    ...testsMounts(request, null),
    readOnly(drivers, DRIVERS),
    writable(build, BUILD),
    ...program.mounts,
    ...node.mounts,
  ];
  const at = (path: string): string => pathInside(request.confinement, path, mounts);
  const call = runner.call({ sealed, args: command.args, only: command.only, dir, at });
  if (call === null) return missingCommand(`no sealed test matches: ${request.testCommand}`);
  return {
    ready: true,
    invocation: {
      tests: {
        argv: [node.path, at(`${DRIVERS}/${DRIVER}`)],
        env: { ...command.env, ...call.env, ...searchPath([...program.dirs, ...node.dirs]) },
        mounts,
        channels: 1,
      },
      subject: { kind: 'shared' },
      plan: {
        reports: at(`${DRIVERS}/${runner.reports}`),
        calls: [{ argv: call.isWhole === true ? call.args : [program.path, ...call.args] }],
        cwd: call.cwd,
        workspace: at(WORKSPACE),
        root: at(sealed ? TESTS : WORKSPACE),
        sealed,
        ...call.plan,
      },
    },
    toolchain: [program.tool, node.tool],
    note: call.note,
  };
}

async function findOnMachine(request: JudgeRequest, { program }: RunnerCommand): Promise<TestProgram | Prepared> {
  return (await findTestProgram(request, program)) ?? notInstalled(program);
}
