import { parseToml, stringsIn, valueAt } from '../../manifest-text.ts';
import { joinPaths, nameOf, parentOf } from '../../path-parts.ts';
import { inTestFolder } from '../../test-names.ts';
import { inSideFolder, packageFolders } from '../packages.ts';
import type { Sources } from '../sources.ts';

/** Where a project keeps the modules that it is installed with. */
export interface PythonProject {
  readonly folder: string;
  /** Directories whose modules are all product, outside test directories. */
  readonly packages: readonly string[];
  /** Single modules beside the manifest that the manifest names. */
  readonly modules: readonly string[];
  /** Directories that absolute imports start from. */
  readonly roots: readonly string[];
}

const MANIFESTS = ['pyproject.toml', 'setup.py', 'setup.cfg'];
const SOURCE_FOLDERS = ['src', 'lib', 'python'];

export function readPythonProjects(sources: Sources): readonly PythonProject[] {
  const folders = packageFolders(sources, MANIFESTS);
  return [...new Set([...folders, ''])].map((folder) => readProject(sources, folder));
}

function readProject({ tree, index, text }: Sources, folder: string): PythonProject {
  const { files } = index;
  const at = (path: string): string => joinPaths(folder, path) ?? path;
  const names = declaredNames((file) => text(at(file)));
  const isPackage = (path: string): boolean => files.has(`${path}/__init__.py`);
  const sourceRoots = SOURCE_FOLDERS.map(at).filter((path) => index.folders.has(path) && !isPackage(path));
  const roots = [folder, ...sourceRoots];
  const below = folder === '' ? '' : `${folder}/`;
  const found = tree.paths
    .filter((path) => nameOf(path) === '__init__.py' && path.startsWith(below))
    .map(parentOf)
    .filter((path) => roots.includes(parentOf(path)) && !isAside(path, folder));
  const declared = [...names].flatMap((name) =>
    roots.flatMap((root) => joinPaths(root, name.replaceAll('.', '/')) ?? []),
  );
  // A `src` directory holds product only, with or without `__init__.py`.
  const src = sourceRoots.filter(
    (path) => nameOf(path) === 'src' && tree.paths.some((one) => one.startsWith(`${path}/`) && one.endsWith('.py')),
  );
  const named = declared.filter((path) => index.folders.has(path));
  return {
    folder,
    // Where the manifest names packages, others beside them have to be imported by these.
    packages: [...new Set([...(named.length > 0 ? named : found), ...src])],
    modules: declared.map((path) => `${path}.py`).filter((path) => files.has(path)),
    roots,
  };
}

const isAside = (path: string, folder: string): boolean =>
  inTestFolder(`${path}/x`) || inSideFolder(`${path}/x`, folder);

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
