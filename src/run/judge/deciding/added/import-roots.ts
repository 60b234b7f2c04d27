import type { BaseContext } from '../context.ts';
import { parseJsonc, valueAt } from '../manifest-text.ts';
import { foldersAbove, joinPaths, nameOf, parentOf } from '../path-parts.ts';

/** Folders of the tree from which Python imports by name: where known, `sys.path`; else the root, `src`, and what pytest adds for its tests. */
export function pythonRoots({ facts, index, collected, starts, before }: BaseContext): ReadonlySet<string> {
  if (facts.search_path !== null) return new Set(facts.search_path);
  const roots = new Set<string>(['']);
  for (const folder of ['src', 'lib']) if (!index.files.has(`${folder}/__init__.py`)) roots.add(folder);
  const settings = [...index.files].filter((path) => nameOf(path) === 'conftest.py');
  for (const path of [...collected, ...starts, ...before, ...settings]) {
    if (!path.endsWith('.py')) continue;
    const folders = [...foldersAbove(path), ''];
    roots.add(folders.find((folder) => !index.files.has(joinPaths(folder, '__init__.py') ?? '')) ?? '');
  }
  return roots;
}

/** Folders from which JavaScript imports by plain names, which without settings it does not. */
export function scriptRoots({ facts, base, index }: BaseContext): ReadonlySet<string> {
  if (facts.search_path !== null) return new Set(facts.search_path);
  const settings = [...index.files].filter((path) => /^[tj]sconfig(?:\.\w+)?\.json$/.test(nameOf(path)));
  return new Set(
    settings.flatMap((path) => {
      const baseUrl = valueAt(parseJsonc(base.read(path) ?? ''), ['compilerOptions', 'baseUrl']);
      return typeof baseUrl === 'string' ? (joinPaths(parentOf(path), baseUrl) ?? []) : [];
    }),
  );
}
