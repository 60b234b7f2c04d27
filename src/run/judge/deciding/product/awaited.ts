import { nameOf, parentOf } from '../path-parts.ts';
import { goDir, readGoModules } from './go.ts';
import { type JavaScriptTree, resolveJavaScript } from './javascript/resolve.ts';
import { pythonCandidates } from './python/resolve.ts';
import { rustModuleFiles } from './rust.ts';
import type { Sources } from './sources.ts';

/**
 * Paths that the imports of tests and product ask for and that are not in the tree: tests may be written before their module. Each with the
 * file that imports it. Directories (Go packages) end with `/`.
 */
export async function awaitedPaths(
  sources: Sources,
  importers: readonly string[],
  { javascript, pythonRoots }: { readonly javascript: JavaScriptTree; readonly pythonRoots: readonly string[] },
): Promise<Map<string, string>> {
  const awaited = new Map<string, string>();
  const { files, dirs } = sources.index;
  const goModules = readGoModules(sources);
  const ask = (from: string, candidates: readonly string[]): void => {
    if (candidates.some((path) => files.has(path))) return;
    for (const path of candidates) if (!awaited.has(path)) awaited.set(path, from);
  };
  for (const from of sources.facts.unloaded)
    if (sources.ecosystem(from) === 'go' && isWithoutPackage(parentOf(from), sources))
      ask(from, [`${parentOf(from)}/`]);
  for (const from of importers) {
    const ecosystem = sources.ecosystem(from);
    if (ecosystem === null) continue;
    for (const one of await sources.imports(from)) {
      const { specifier, kind } = one;
      if (ecosystem === 'javascript') ask(from, resolveJavaScript(from, specifier, javascript).candidates);
      else if (ecosystem === 'python') ask(from, pythonModules(from, specifier, pythonRoots));
      else if (ecosystem === 'rust' && (kind === 'mod' || kind === 'file'))
        ask(from, rustModuleFiles(from, kind, specifier));
      else if (ecosystem === 'go') {
        const dir = goDir(from, specifier, goModules);
        if (dir !== null && !dirs.has(dir)) ask(from, [`${dir}/`]);
      } else if (ecosystem === 'c' || ecosystem === 'shell') {
        const isThere = sources.tree.paths.some((path) => path === specifier || path.endsWith(`/${nameOf(specifier)}`));
        if (kind !== 'system_include' && !isThere) ask(from, [`*/${specifier.replace(/^(?:\.\.?\/)+/, '')}`]);
      }
    }
  }
  return awaited;
}

/** Only tests are there. If they do not load, they wait for the package that they are part of. */
function isWithoutPackage(dir: string, { tree, ecosystem }: Sources): boolean {
  const there = tree.paths.filter((path) => parentOf(path) === dir && ecosystem(path) === 'go');
  return dir !== '' && there.every((path) => path.endsWith('_test.go'));
}

/** The module itself, without the packages on the way to it. */
function pythonModules(from: string, specifier: string, roots: readonly string[]): readonly string[] {
  const module = specifier.replace(/^\.+/, '').replaceAll('.', '/');
  return pythonCandidates(from, { specifier, names: [] }, roots).filter((path) =>
    path.replace(/(?:\/__init__)?\.py$/, '').endsWith(module),
  );
}
