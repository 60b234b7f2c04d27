import { type Dirent, readdirSync } from 'node:fs';
import { resolveWithin } from '../sandbox/resolve-within.ts';
import { basename, join } from 'node:path';
import { below } from '../command/expand/expansion.ts';
import { broughtTools, moduleAt, newModules } from './patch-facts.ts';
import type { JudgeRequest } from '../types.ts';

/** For the drivers: which modules the tree has. The tree says so, by its file names; code in it does not. */
export interface PythonModules {
  /** Where modules are looked for, or one directory down (`src/`), where an installation for development finds them. */
  readonly modules: readonly string[];
  /** Those where modules are looked for that only the patch brings. */
  readonly new_modules: readonly string[];
  /** Those where modules are looked for that the tree had before the patch, its tests included. */
  readonly own_modules: readonly string[];
}

/** `dir`: the directory of the command, from the workspace; `pythonPath`: further ones, from there. */
export function readPythonModules(
  { workspace, baseTree, patch }: JudgeRequest,
  dir: string,
  pythonPath: readonly string[],
): PythonModules {
  const searched = [...new Set([dir, ...pythonPath.flatMap((entry) => below(dir, entry) ?? [])])];
  const top = modulesAmong(searched.flatMap((place) => withoutTests(place, entriesOf(workspace, place))));
  const deeper = [...new Set(['', ...searched])].flatMap((place) =>
    withoutTests(place, entriesOf(workspace, place))
      .filter((entry) => entry.isDirectory() && moduleAt(entry.name) !== null && entry.name !== 'node_modules')
      .flatMap(({ name }) => modulesAmong(entriesOf(workspace, join(place, name)))),
  );
  const fresh = patch === undefined ? [] : newModules(patch, top, searched);
  const tools = new Set(patch === undefined ? [] : broughtTools(patch).map((path) => moduleAt(basename(path))));
  const served = [...new Set([...top, ...deeper])].filter((name) => !tools.has(name));
  const known = modulesAmong(searched.flatMap((place) => entriesOf(baseTree ?? workspace, place)));
  return {
    modules: served.toSorted(),
    new_modules: [...fresh].toSorted(),
    own_modules: known.filter((name) => !fresh.includes(name)).toSorted(),
  };
}

/** Empty for a directory that is not there or not in the workspace. */
function entriesOf(workspace: string, dir: string): readonly Dirent[] {
  try {
    const place = resolveWithin(workspace, dir);
    return place === null ? [] : readdirSync(join(workspace, place), { withFileTypes: true });
  } catch {
    return [];
  }
}

/** Sealed tests lie at `tests/`. */
function withoutTests(dir: string, entries: readonly Dirent[]): readonly Dirent[] {
  return dir === '' ? entries.filter(({ name }) => name !== 'tests') : entries;
}

function modulesAmong(entries: readonly Dirent[]): readonly string[] {
  return [...new Set(entries.flatMap(({ name }) => moduleAt(name) ?? []))];
}
