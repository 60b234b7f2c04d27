import { realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Tool } from '../../evidence/schema/report.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { readHomes } from '../bwrap/mount-masks.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { SANDBOX_PATH } from '../environment.ts';
import type { Mount } from '../types.ts';
import { findProgram } from './find-program.ts';
import { resolveTool, type ToolSearch } from './toolchain.ts';

/** Programs of this machine as confined commands find them by name. */
export interface Programs {
  readonly tools: readonly Tool[];
  readonly mounts: readonly Mount[];
  /** Directories to prepend to PATH. */
  readonly dirs: readonly string[];
}

export const NO_PROGRAMS: Programs = { tools: [], mounts: [], dirs: [] };

/** Languages and their package managers, interpreters before the scripts that they install. */
const LANGUAGES = new Set(
  'node npm npx corepack pnpm yarn bun deno python3 python pip pip3 uv poetry go gofmt cargo rustc rustdoc rustfmt ruby gem bundle java javac mvn gradle php composer'.split(
    ' ',
  ),
);

/** What to look for beside languages and package managers. None of it is run. */
export interface WantedPrograms {
  /** Words of commands that a person gave. */
  readonly named: readonly string[];
  /** Words of scripts in the tree: these do not make visible what a person keeps in a home directory. */
  readonly mentioned: readonly string[];
  /** A Python must be able to import this, if one of them can: tests and engine then use the same interpreter. */
  readonly pythonModule: string | null;
}

/**
 * The caller's programs that a sandbox would not find at all, or would find in another version: those that come first on the caller's
 * PATH and lie outside the sandbox's. `shown`: the result of an earlier search, which looked for languages already.
 */
export async function findCallerPrograms(
  { named, mentioned, pythonModule }: WantedPrograms,
  caller: Omit<ToolSearch, 'needsModule'>,
  shown: Programs | null = null,
): Promise<Programs> {
  // Of Seatrial itself no command sees anything.
  const dirs = caller.path.split(delimiter).filter((dir) => !isWithin(dir, packageRoot()));
  const search = { ...caller, path: dirs.join(delimiter) };
  let found = shown ?? NO_PROGRAMS;
  const given = new Set([...LANGUAGES, ...named]);
  const ofSystem = new Set<string>();
  for (const name of new Set([...LANGUAGES, ...named, ...mentioned])) {
    if (!/^[\w.+-]+$/.test(name) || isShown(name, found)) continue;
    const first = findProgram(name, search.path);
    if (first === null || (!given.has(name) && isInHome(first))) continue;
    if (isInside(first) && !(isPython(name) && pythonModule !== null)) {
      ofSystem.add(name);
      continue;
    }
    if (shown !== null && LANGUAGES.has(name)) continue;
    const tool = await resolveProgram(name, search, pythonModule);
    if (tool === null) continue;
    if (tool.pathEntries.length === 0) ofSystem.add(name);
    // A directory before the system's must not replace a program that was found there.
    if ([...ofSystem].some((other) => isShown(other, { ...tool, dirs: tool.pathEntries }))) continue;
    found = {
      tools: [...found.tools, tool.tool],
      mounts: [...found.mounts, ...tool.mounts],
      dirs: [...new Set([...found.dirs, ...tool.pathEntries])],
    };
  }
  return found;
}

const isPython = (name: string): boolean => /^python[\d.]*$/.test(name);

async function resolveProgram(
  name: string,
  search: Omit<ToolSearch, 'needsModule'>,
  pythonModule: string | null,
): ReturnType<typeof resolveTool> {
  if (!LANGUAGES.has(name) && !isPython(name)) return resolveTool(name, { ...search, isNeverRun: true });
  if (!isPython(name) || pythonModule === null) return resolveTool(name, search);
  return (await resolveTool(name, { ...search, needsModule: pythonModule })) ?? resolveTool(name, search);
}

const isInHome = (program: string): boolean =>
  readHomes().some((home) => isWithin(program, home) || isWithin(realpathSync(program), home));

const isInside = (program: string): boolean => SANDBOX_PATH.split(':').includes(dirname(program));

/** Whether a directory that is mounted for another program has this one too: `pip` beside `python3`. */
function isShown(name: string, { dirs, mounts }: Pick<Programs, 'dirs' | 'mounts'>): boolean {
  const place = findProgram(name, dirs.join(':'));
  const first = dirs.find((dir) => place === join(dir, name));
  return first !== undefined && mounts.some(({ mode, target }) => mode === 'ro' && isWithin(join(first, name), target));
}
