import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { findCallerPrograms, NO_PROGRAMS, type Programs } from '../confine/tools/caller-programs.ts';
import { editableLinks } from '../confine/tools/virtual-environment.ts';
import type { ToolSearch } from '../confine/tools/toolchain.ts';
import { canonicalJson } from '../kernel/canonical.ts';
import { sha256 } from '../kernel/digest.ts';
import type { ImageTerms } from '../task/image/terms.ts';
import { readPlain } from '../task/project-files.ts';
import { openBaseFiles } from './judge/command/base-files.ts';
import { readTestPlan } from './judge/command/plan.ts';
import type { RunnerCommand } from './judge/runners/definition.ts';

const MAX_SCRIPT_BYTES = 64 * 1024;

type Tools = Omit<ToolSearch, 'needsModule'>;

/**
 * The caller's programs that setup, engine, tests and review find by name: the same for all of them. `baseDir` is the tree before the
 * change, which says what `npm test` means; `image`: brings its own programs, or names those that
 * stand in for its own.
 */
export async function findToolchain(
  testCommand: string | null,
  baseDir: string,
  tools: Tools,
  image?: ImageTerms,
): Promise<Programs> {
  if (image?.root !== undefined) return NO_PROGRAMS;
  const also = image?.programs ?? [];
  const commands = testCommand === null ? [] : commandsOf(testCommand, baseDir);
  const names = commands.flatMap(({ runner, program, args, alsoStarts = [] }) => [
    program,
    ...alsoStarts,
    ...(runner === 'script' ? args.flatMap(wordsOf) : []),
  ]);
  const scripts = commands.flatMap(({ program, args, dir = '' }) =>
    [program, ...args].map(
      (word) => readPlain(baseDir, join(dir, word))?.toString('latin1', 0, MAX_SCRIPT_BYTES) ?? '',
    ),
  );
  const usesPytest = also.length > 0 || commands.some(({ runner }) => runner === 'pytest');
  const pythonModule = usesPytest ? 'pytest' : null;
  const found = await findCallerPrograms(
    { named: [...names, ...also], mentioned: scripts.flatMap(wordsOf), pythonModule },
    tools,
  );
  return { ...found, mounts: [...found.mounts, ...editableLinks(tools.path, baseDir)] };
}

/** The same with programs that only some commands start: engine and review. */
export async function withProgramsOf(
  toolchain: Programs,
  commands: readonly (string | null)[],
  tools: Tools,
): Promise<Programs> {
  const named = commands.flatMap((command) => wordsOf(command ?? ''));
  if (named.length === 0) return toolchain;
  return findCallerPrograms({ named, mentioned: [], pythonModule: null }, tools, toolchain);
}

/**
 * What results of tests depend on beside the tree: the programs, and the packages that Python imports without any setup. An upgrade in a
 * virtual environment changes no program.
 */
export function toolchainDigests({ tools, mounts }: Programs): string[] {
  const mounted = mounts
    .filter(({ mode, source }) => mode === 'ro' && basename(source) === 'lib')
    .map(({ source }) => source);
  const libs = [...mounted, '/usr/lib', '/usr/local/lib'].flatMap((lib) =>
    existsSync(lib)
      ? readdirSync(lib)
          .filter((name) => name.startsWith('python3'))
          .map((name) => join(lib, name))
      : [],
  );
  const installed = libs
    .flatMap((lib) => ['site-packages', 'dist-packages'].map((name) => join(lib, name)))
    .filter((dir) => existsSync(dir))
    .map((dir) => [
      dir,
      readdirSync(dir)
        .filter((name) => /\.(?:dist|egg)-info$/.test(name))
        .toSorted(),
    ]);
  return [...tools.map(({ sha256: digest }) => digest), sha256(canonicalJson(installed))];
}

function commandsOf(testCommand: string, baseDir: string): readonly RunnerCommand[] {
  const plan = readTestPlan(testCommand, openBaseFiles({ workspace: baseDir }));
  if (plan.kind === 'script') return [plan.command];
  return plan.kind === 'steps' ? plan.steps.map(({ command }) => command) : [];
}

/** Every word of a shell command that may be a program's name. */
function wordsOf(command: string): string[] {
  return command.split(/[\s;&|()<>'"`$=]+/).filter((word) => word !== '');
}
