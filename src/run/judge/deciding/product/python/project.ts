import { parseToml, stringsIn, valueAt } from '../../manifest-text.ts';
import { joinPaths, nameOf, parentOf } from '../../path-parts.ts';
import { inTestDir } from '../../test-names.ts';
import { inSideDir, packageDirs } from '../packages.ts';
import type { Sources } from '../sources.ts';

/** Where a project keeps the modules that it is installed with. */
export interface PythonProject {
  readonly dir: string;
  /** Directories whose modules are all product, outside test directories. */
  readonly packages: readonly string[];
  /** Single modules beside the manifest that the manifest names. */
  readonly modules: readonly string[];
  /** Directories that absolute imports start from. */
  readonly roots: readonly string[];
}

const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg'];
const SOURCE_DIRS = ['src', 'lib', 'python'];

export function readPythonProjects(sources: Sources): readonly PythonProject[] {
  const dirs = packageDirs(sources, MANIFESTS);
  return [...new Set([...dirs, ''])].map((dir) => readProject(sources, dir));
}

function readProject({ tree, index, text }: Sources, dir: string): PythonProject {
  const { files } = index;
  const at = (path: string): string => joinPaths(dir, path) ?? path;
  const names = declaredNames((file) => text(at(file)));
  const isPackage = (path: string): boolean => files.has(`${path}/__init__.py`);
  const sourceRoots = SOURCE_DIRS.map(at).filter((path) => index.dirs.has(path) && !isPackage(path));
  const roots = [dir, ...sourceRoots];
  const below = dir === '' ? '' : `${dir}/`;
  const found = tree.paths
    .filter((path) => nameOf(path) === '__init__.py' && path.startsWith(below))
    .map(parentOf)
    .filter((path) => roots.includes(parentOf(path)) && !isAside(path, dir));
  const declared = [...names].flatMap((name) =>
    roots.flatMap((root) => joinPaths(root, name.replaceAll('.', '/')) ?? []),
  );
  // A `src` directory holds product only, with or without `__init__.py`.
  const src = sourceRoots.filter(
    (path) => nameOf(path) === 'src' && tree.paths.some((one) => one.startsWith(`${path}/`) && one.endsWith('.py')),
  );
  const named = declared.filter((path) => index.dirs.has(path));
  return {
    dir,
    // Where the manifest names packages, others beside them have to be imported by these.
    packages: [...new Set([...(named.length > 0 ? named : found), ...src])],
    modules: declared.map((path) => `${path}.py`).filter((path) => files.has(path)),
    roots,
  };
}

const isAside = (path: string, dir: string): boolean => inTestDir(`${path}/x`) || inSideDir(`${path}/x`, dir);

/** Names of packages and modules in the manifests; the project's own name is one of them. */
function declaredNames(read: (file: string) => string): ReadonlySet<string> {
  const names = new Set<string>();
  const add = (text: string): void => {
    if (/^[\w.\-/]+$/.test(text) && !/^(?:\.|tests?|find|attr|src)$/.test(text))
      names.add(text.replaceAll('-', '_').replace(/^src\//, ''));
  };
  const project = parseToml(read('pyproject.toml'));
  for (const path of DECLARING_KEYS) for (const name of stringsIn(valueAt(project, path))) add(name);
  const lists = /^\s*(?:packages|py_modules|name)\s*=\s*([^\n]*(?:\n[ \t]+[^\n]+)*)/gm;
  for (const [, value = ''] of read('setup.cfg').matchAll(lists))
    for (const name of value.match(/[\w.-]+/g) ?? []) add(name);
  const calls = /\b(?:packages|py_modules)\s*=\s*\[([^\]]*)\]|\bname\s*=\s*(["'][^"'\n]*["'])/g;
  for (const [, list, name] of read('setup.py').matchAll(calls))
    for (const quoted of (list ?? name ?? '').match(/[\w.-]+/g) ?? []) add(quoted);
  return names;
}

const DECLARING_KEYS = [
  ['project', 'name'],
  ['tool', 'poetry', 'name'],
  ['tool', 'poetry', 'packages'],
  ['tool', 'setuptools', 'packages'],
  ['tool', 'setuptools', 'py-modules'],
  ['tool', 'flit', 'module', 'name'],
  ['tool', 'hatch', 'build', 'targets', 'wheel', 'packages'],
  ['tool', 'pdm', 'build', 'includes'],
  ['tool', 'maturin', 'module-name'],
];
