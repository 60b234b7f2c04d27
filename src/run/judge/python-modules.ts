import { type Dirent, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { broughtTools, moduleAt, newModules } from './patch-facts.ts';
import type { JudgeRequest } from './types.ts';

/** For the drivers: which modules the tree has. The tree says so, by its file names; code in it does not. */
export interface PythonModules {
  /** At its top, or one folder down (`src/`), where an installation for development finds them. */
  readonly modules: readonly string[];
  /** Those at the top that only the patch brings. */
  readonly new_modules: readonly string[];
}

export function readPythonModules({ workspace, patch }: JudgeRequest): PythonModules {
  const entries = readdirSync(workspace, { withFileTypes: true }).filter(({ name }) => name !== 'tests');
  const top = modulesAmong(entries);
  const below = entries
    .filter((entry) => entry.isDirectory() && moduleAt(entry.name) !== null && entry.name !== 'node_modules')
    .flatMap(({ name }) => modulesAmong(readdirSync(join(workspace, name), { withFileTypes: true })));
  const fresh = patch === undefined ? [] : newModules(patch, top);
  const tools = new Set(patch === undefined ? [] : broughtTools(patch).map((path) => moduleAt(basename(path))));
  const served = [...new Set([...top, ...below])].filter((name) => !tools.has(name));
  return { modules: served.toSorted(), new_modules: [...fresh].toSorted() };
}

function modulesAmong(entries: readonly Dirent[]): readonly string[] {
  return entries.flatMap(({ name }) => moduleAt(name) ?? []);
}
