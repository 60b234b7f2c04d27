import { enclosingDirs, joinPaths, nameOf, parentOf } from '../path-parts.ts';
import { hasTestWord } from '../test-names.ts';
import { packageDirs } from './packages.ts';
import { doubtfulRole, productRole, type Role, supportRole, VENDORED } from './role.ts';
import type { Sources } from './sources.ts';

const HELPER_DIR = /^(?:testing|asserts?|assertions?|require|checkers?|fixtures?|mocks?)$/;
const IMPORTS_TESTING = /^\s*(?:import\s+)?(?:[\w.]+\s+)?"testing"/m;

/** Every Go file but tests and vendored packages, except packages that only tests use. */
export function goRoles(sources: Sources): Map<string, Role> {
  const roles = new Map<string, Role>();
  const files = sources.tree.paths.filter((path) => sources.ecosystem(path) === 'go');
  const product = files.filter((path) => !isVendored(path) && !path.endsWith('_test.go') && !isLeftOut(path));
  const dirs = readGoDirs(sources, product);
  const used = usedDirs(sources, dirs);
  const tests = files.filter((path) => path.endsWith('_test.go'));
  for (const path of files.filter(isVendored)) roles.set(path, VENDORED);
  for (const { dir, name, paths } of dirs) {
    const role = used.has(dir) ? productRole(true) : helperRole(sources, { dir, name, paths }, tests);
    for (const path of paths) roles.set(path, role);
  }
  return roles;
}

interface GoPackage {
  readonly dir: string;
  /** The path it is imported by; null: no module has it. */
  readonly name: string | null;
  readonly paths: readonly string[];
}

function readGoDirs(sources: Sources, product: readonly string[]): readonly GoPackage[] {
  const modules = readGoModules(sources);
  const dirs = new Map<string, string[]>();
  for (const path of product) dirs.set(parentOf(path), [...(dirs.get(parentOf(path)) ?? []), path]);
  return [...dirs].map(([dir, paths]) => ({ dir, name: importPath(dir, modules), paths }));
}

const isVendored = (path: string): boolean => /(?:^|\/)vendor\//.test(path);

/** The go tool leaves out what is below `testdata` and below directories that begin with `_` or `.`. */
function isLeftOut(path: string): boolean {
  return enclosingDirs(path).some((dir) => /^(?:testdata$|[_.])/.test(nameOf(dir)));
}

/** Of a package that nothing of the product imports: tests of others use it, or it is product that is not used yet. */
function helperRole(sources: Sources, one: GoPackage, tests: readonly string[]): Role {
  const isImported = tests.some((test) => parentOf(test) !== one.dir && importsPackage(sources, test, one));
  const hasTests = tests.some((test) => parentOf(test) === one.dir);
  if (isInternal(one) && isImported && !hasTests) return supportRole('an internal package that only tests import');
  return isImported || looksLikeHelper(sources, one)
    ? doubtfulRole('only_words', 'is a package that only tests import')
    : productRole(true);
}

const isInternal = ({ dir }: GoPackage): boolean => `/${dir}/`.includes('/internal/');

function importsPackage(sources: Sources, path: string, { name }: GoPackage): boolean {
  return name !== null && sources.text(path).includes(`"${name}"`);
}

function looksLikeHelper(sources: Sources, { dir, paths }: GoPackage): boolean {
  return (
    HELPER_DIR.test(nameOf(dir)) ||
    hasTestWord(nameOf(dir)) ||
    paths.some((path) => IMPORTS_TESTING.test(sources.text(path)))
  );
}

/** Directories of the product: what others can import or run, and what these import. A package for tests is one only if the product imports it. */
function usedDirs(sources: Sources, packages: readonly GoPackage[]): ReadonlySet<string> {
  const isEntry = (one: GoPackage): boolean =>
    one.dir === '' ||
    one.paths.some((path) => /^package main\b/m.test(sources.text(path))) ||
    (!isInternal(one) && !looksLikeHelper(sources, one));
  const waiting = packages.filter(isEntry);
  const used = new Set(waiting);
  for (let importer = waiting.pop(); importer !== undefined; importer = waiting.pop())
    for (const one of packages) {
      if (used.has(one) || !importer.paths.some((path) => importsPackage(sources, path, one))) continue;
      used.add(one);
      waiting.push(one);
    }
  return new Set([...used].map(({ dir }) => dir));
}

function importPath(dir: string, modules: ReadonlyMap<string, string>): string | null {
  for (const [root, name] of modules) {
    if (dir === root) return name;
    if (root === '' || dir.startsWith(`${root}/`)) return `${name}/${root === '' ? dir : dir.slice(root.length + 1)}`;
  }
  return null;
}

/** Directories of the tree's modules with the import path of each, the deepest first. */
export function readGoModules(sources: Sources): ReadonlyMap<string, string> {
  const dirs = packageDirs(sources, ['go.mod']);
  const nameIn = (text: string): string => /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1] ?? '';
  return new Map(dirs.map((dir) => [dir, nameIn(sources.text(joinPaths(dir, 'go.mod') ?? ''))]));
}

/** The directory of the tree that an import path means. Null: a package from outside. */
export function goDir(from: string, specifier: string, modules: ReadonlyMap<string, string>): string | null {
  if (specifier.startsWith('.')) return joinPaths(parentOf(from), specifier);
  // The deepest module that claims the path, as the go tool chooses.
  const owners = [...modules].filter(
    ([, name]) => name !== '' && (specifier === name || specifier.startsWith(`${name}/`)),
  );
  const [owner] = owners.sort(([, a], [, b]) => b.length - a.length);
  return owner === undefined ? null : joinPaths(owner[0], specifier.slice(owner[1].length));
}
