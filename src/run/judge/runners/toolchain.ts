import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerCommand } from '../command/runner-command.ts';
import {
  BUILD,
  DRIVERS,
  type Invocation,
  readOnly,
  searchPath,
  TESTS,
  writable,
  WORKSPACE,
} from '../sandbox/layout.ts';
import type { TestProgram } from './programs.ts';
import { makeDir, stageDrivers, testsMounts } from '../sandbox/stage.ts';
import type { JudgeRequest } from '../types.ts';
import { cargoArguments } from './cargo.ts';
import { goArguments } from './go.ts';

export interface ToolchainCall {
  readonly invocation: Invocation;
  readonly note: string;
}

/**
 * `go test` and `cargo test`: programs that build, then start what they built, and say on stdout what came of it. A driver
 * starts them and reads that; the channel is its alone. Null: the command selects none of the sealed tests.
 */
export function invokeToolchain(
  request: JudgeRequest,
  command: RunnerCommand & { readonly runner: 'go' | 'cargo' },
  program: TestProgram,
  node: TestProgram,
): ToolchainCall | null {
  const sealed = request.sealedTests !== null;
  const files = ['channel.cjs', 'toolchain-driver.mjs', 'go-reports.mjs', 'cargo-reports.mjs'];
  const drivers = stageDrivers(
    request.scratch,
    'judge',
    files.map((file) => `node/${file}`),
  );
  const build = makeDir(request.scratch, 'build');
  request.confinement.give(build);
  const mounts = [
    ...testsMounts(request, null),
    readOnly(drivers, DRIVERS),
    writable(build, BUILD),
    ...program.mounts,
    ...node.mounts,
  ];
  const at = (path: string): string => request.confinement.pathInside(path, mounts);
  const args = command.runner === 'go' ? goArguments(command.args, sealed) : cargoArguments(command.args, sealed, at);
  if (args === null) return null;
  // Cargo reads settings from the folder it is started in and from those above: a tree that brings its tests brings these too.
  const ownSettings = !sealed && command.runner === 'cargo' && existsSync(join(request.workspace, '.cargo'));
  return {
    invocation: {
      tests: {
        argv: [node.path, at(`${DRIVERS}/toolchain-driver.mjs`)],
        env: { ...environment(at)[command.runner], ...searchPath([...program.folders, ...node.folders]) },
        mounts,
        channels: 1,
      },
      subject: { kind: 'shared' },
      plan: {
        runner: command.runner,
        argv: [program.path, ...args],
        cwd: at(command.runner === 'go' || ownSettings ? WORKSPACE : BUILD),
        workspace: at(WORKSPACE),
        root: at(sealed ? TESTS : WORKSPACE),
        sealed,
      },
    },
    note:
      command.runner === 'go'
        ? 'forced: -count=1, -vet=off, no downloads'
        : `forced: --no-fail-fast, one thread, no downloads${ownSettings ? "; with the tree's own .cargo settings" : ''}`,
  };
}

function environment(at: (path: string) => string): Record<'go' | 'cargo', Record<string, string>> {
  const build = at(BUILD);
  return {
    go: {
      GOPROXY: 'off',
      GOTOOLCHAIN: 'local',
      GOFLAGS: '',
      GOCACHE: `${build}/go-cache`,
      GOPATH: `${build}/go`,
    },
    cargo: {
      CARGO_HOME: `${build}/cargo`,
      CARGO_TARGET_DIR: `${build}/target`,
      CARGO_NET_OFFLINE: 'true',
      CARGO_INCREMENTAL: '0',
      CARGO_TERM_COLOR: 'never',
    },
  };
}
