import type { BaseContext } from '../context.ts';
import { parseJsonc, valueAt } from '../manifest-text.ts';
import { enclosingDirs, joinPaths, nameOf, parentOf } from '../path-parts.ts';

/**
 * Directories of the tree from which Python imports by name: where known, `sys.path`; else the root, `src`, what pytest adds for its tests, and
 * directories in which the tests find a module that they import.
 */
export function pythonRoots(context: BaseContext): ReadonlySet<string> {
  const { facts, index, collected, starts, before } = context;
  if (facts.search_path !== null) return new Set(facts.search_path);
  const roots = new Set<string>(['']);
  for (const dir of ['src', 'lib']) if (!index.files.has(`${dir}/__init__.py`)) roots.add(dir);
  const settings = [...index.files].filter((path) => nameOf(path) === 'conftest.py');
  for (const path of [...collected, ...starts, ...before, ...settings]) {
    if (!path.endsWith('.py')) continue;
    const dirs = [...enclosingDirs(path), ''];
    roots.add(dirs.find((dir) => !index.files.has(joinPaths(dir, '__init__.py') ?? '')) ?? '');
  }
  for (const dir of dirsOfImports(context)) roots.add(dir);
  return roots;
}

/** Directories, no packages themselves, that hold modules of names which tests import: settings have put them on the path. */
function dirsOfImports({ base, collected, index }: BaseContext): readonly string[] {
  const names = new Set(
    [...collected].flatMap((path) =>
      path.endsWith('.py')
        ? [...(base.read(path) ?? '').matchAll(/^\s*(?:from|import)\s+(\w+)/gm)].map(([, name]) => name)
        : [],
    ),
  );
  const places = [...index.files].flatMap((path) => {
    const module = nameOf(path) === '__init__.py' ? parentOf(path) : path.endsWith('.py') ? path.slice(0, -3) : '';
    return module !== '' && names.has(nameOf(module)) ? [parentOf(module)] : [];
  });
  return [...new Set(places)].filter((dir) => !index.files.has(joinPaths(dir, '__init__.py') ?? ''));
}

/** Directories from which JavaScript imports by plain names, which without settings it does not. */
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
