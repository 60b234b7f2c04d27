import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUILD, dirInside } from '../../sandbox/layout.ts';
import type { JudgeRequest } from '../../types.ts';
import type { RunnerDefinition } from '../definition.ts';
import { prepareToolchain, type ToolchainRunner } from '../shared/toolchain.ts';
import { cargoArguments, cargoManifest } from './arguments.ts';

const PROGRAM = /^(?:.*\/)?cargo$/;

/** `ownSettings`: cargo reads settings from the directory it is started in and from those above. */
const runner = (ownSettings: boolean): ToolchainRunner => ({
  reports: 'cargo/drivers/cargo-reports.mjs',
  call(place) {
    const build = place.at(BUILD);
    const manifest = cargoManifest(place);
    return {
      args: cargoArguments(place, manifest),
      env: {
        CARGO_HOME: `${build}/cargo`,
        CARGO_TARGET_DIR: `${build}/target`,
        CARGO_NET_OFFLINE: 'true',
        CARGO_INCREMENTAL: '0',
        CARGO_TERM_COLOR: 'never',
      },
      cwd: ownSettings ? place.at(place.dir) : build,
      note: `forced: --no-fail-fast, one thread, no downloads${ownSettings ? "; with the tree's own .cargo settings" : ''}`,
      plan: { project: place.at(dirname(manifest)) },
    };
  },
});

export const cargo: RunnerDefinition = {
  name: 'cargo',
  manual: {
    commands: '`cargo test …`',
    calledAs:
      'from a directory outside the workspace, offline, `--no-fail-fast`, one thread, own target directory; every test program has to run and to report as many tests as it announced',
    ids: '`tests/slug.rs::odd::punctuation`, `src/lib.rs::tests::empty`, doc-tests as cargo names them; in a repository by their item, `src/lib.rs - slug (example 1)`',
  },
  blackBox: false,
  match({ words }) {
    const [program = '', verb, ...args] = words;
    return PROGRAM.test(program) && (verb === 'test' || verb === 't') ? { runner: 'cargo', program, args } : null;
  },
  prepare: (request, command) =>
    prepareToolchain(request, command, runner(hasOwnSettings(request, command.dir ?? '')), dirInside(command.dir)),
  select: (command, ids) => ({ ...command, only: ids }),
  fileOf: (id) => (/^(.+?)(?:::| - )/.exec(id) ?? [null, id])[1] ?? null,
};

/** A tree that brings its tests brings its settings too. */
function hasOwnSettings({ workspace, sealedTests }: JudgeRequest, dir: string): boolean {
  if (sealedTests !== null) return false;
  const parts = dir.split('/').filter((part) => part !== '');
  return [...parts.keys(), parts.length].some((depth) =>
    existsSync(join(workspace, ...parts.slice(0, depth), '.cargo')),
  );
}
