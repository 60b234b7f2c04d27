import { liesBelow, joinPaths, nameOf, parentOf, pathWithin } from '../../path-parts.ts';
import { inTestDir, isSupportName, isTestName } from '../../test-names.ts';
import { entryFiles, isOutput, SOURCE_DIRS, sourcesOfOutput } from './entries.ts';
import { readJavaScriptPackage, type JavaScriptPackage } from './package.ts';
import { type JavaScriptTree, resolveJavaScript } from './resolve.ts';
import { loadedBySettings } from './settings.ts';
import { inSideDir, isInstalled, packageDirs, packageOf } from '../packages.ts';
import { doubtfulRole, productRole, type Role, supportRole } from '../role.ts';
import { closureOf, type Sources } from '../sources.ts';
import { assertionWord } from '../assertion-words.ts';

export function readJavaScriptTree(sources: Sources): JavaScriptTree {
  const packages = packageDirs(sources, ['package.json']).map((dir) => readJavaScriptPackage(sources, dir));
  const entries = new Map(packages.map((one) => [one, entryFiles(sources, one)]));
  return { files: sources.index.files, packages, entriesOf: (one) => entries.get(one) ?? [] };
}

/** The product of every package with an entry point: what imports lead to from there, and its source directories. */
export async function javascriptRoles(sources: Sources, tree: JavaScriptTree): Promise<Map<string, Role>> {
  const roles = new Map<string, Role>();
  const devOnly = packagesForDevelopment(tree);
  const product = tree.packages.filter((one) => !devOnly.has(one));
  const reached = await reachedFrom(sources, tree, product);
  for (const path of reached)
    if (mayBeProduct(sources, path)) roles.set(path, await reachedRole(sources, tree, path, reached));
  for (const one of devOnly) {
    for (const path of await reachedFrom(sources, tree, [one])) {
      if (roles.has(path) || !liesBelow(path, one.dir)) continue;
      const role = one.isPrivate
        ? supportRole(`a package for development only (${one.name ?? one.dir})`)
        : doubtfulRole('dev_only_package');
      roles.set(path, role);
    }
  }
  for (const path of await loadedBySettings(sources, tree))
    if (!roles.has(path) && !isInstalled(path)) roles.set(path, supportRole('settings of the test runner load it'));
  const dirs = sourceDirs(tree, product, reached);
  for (const path of sources.tree.paths) {
    if (!roles.has(path) && sources.ecosystem(path) === 'javascript') {
      const role = unreachedRole(sources, path, dirs, tree);
      if (role !== null) roles.set(path, role);
    }
  }
  return roles;
}

/** A module of assertions that an entry point offers (`./testing`) may be for the package's users, or for its own tests alone. */
async function reachedRole(
  sources: Sources,
  tree: JavaScriptTree,
  path: string,
  reached: ReadonlySet<string>,
): Promise<Role> {
  const word = isSupportName(path) ? assertionWord('javascript', sources.text(path)) : null;
  if (word === null) return productRole(true);
  for (const other of reached) {
    if (other === path || sources.ecosystem(other) !== 'javascript') continue;
    const imports = await sources.imports(other);
    if (imports.some(({ specifier }) => importedFiles(sources, tree, other, specifier).includes(path)))
      return productRole(true);
  }
  return doubtfulRole('only_words', `says "${word}"`);
}

function mayBeProduct(sources: Sources, path: string): boolean {
  return !isInstalled(path) && !(sources.collected.has(path) && (isTestName(path) || inTestDir(path)));
}

async function reachedFrom(
  sources: Sources,
  tree: JavaScriptTree,
  packages: readonly JavaScriptPackage[],
): Promise<Set<string>> {
  const first = packages.flatMap((one) => tree.entriesOf(one));
  return closureOf(first, async (path) => {
    if (sources.ecosystem(path) !== 'javascript' && !path.endsWith('.html')) return [];
    const imports = await sources.imports(path);
    return imports
      .flatMap(({ specifier }) => importedFiles(sources, tree, path, specifier))
      .filter((found) => !isInstalled(found));
  });
}

/** A program may load the built output, which is not in the tree: its sources are meant. */
function importedFiles(sources: Sources, tree: JavaScriptTree, from: string, specifier: string): readonly string[] {
  const { found, candidates } = resolveJavaScript(from, specifier, tree);
  const [path] = candidates;
  if (found.length > 0 || path === undefined) return found;
  const owner = packageOf(
    path,
    tree.packages.map((one) => one.dir),
  );
  const within = owner === null ? null : pathWithin(path, owner);
  return owner !== null && within !== null && isOutput(`${within}/`)
    ? sourcesOfOutput(sources, owner, within, null)
    : [];
}

/** Packages of the tree that others name among their devDependencies and none among its dependencies. */
function packagesForDevelopment({ packages }: JavaScriptTree): ReadonlySet<JavaScriptPackage> {
  const wanted = (one: JavaScriptPackage, among: 'dependencies' | 'devDependencies'): boolean =>
    one.name !== null && packages.some((other) => other !== one && other[among].has(one.name ?? ''));
  return new Set(
    packages.filter((one) => one.dir !== '' && wanted(one, 'devDependencies') && !wanted(one, 'dependencies')),
  );
}

/** `src`, `lib` and the like, and the other top directories of a package in which its product was found. */
function sourceDirs(
  tree: JavaScriptTree,
  product: readonly JavaScriptPackage[],
  reached: ReadonlySet<string>,
): ReadonlySet<string> {
  const dirs = tree.packages.map((one) => one.dir);
  const customary = product.flatMap(({ dir }) => SOURCE_DIRS.flatMap((name) => joinPaths(dir, name) ?? []));
  const found = new Set<string>(customary);
  for (const path of reached) {
    const owner = packageOf(path, dirs);
    if (owner === null || !product.some((one) => one.dir === owner)) continue;
    const [top, ...rest] = pathWithin(path, owner)?.split('/') ?? [];
    const dir = top === undefined || rest.length === 0 ? null : joinPaths(owner, top);
    if (dir !== null && !inTestDir(`${dir}/x`) && !inSideDir(`${dir}/x`, owner)) found.add(dir);
  }
  return found;
}

/** Of a source that no entry point leads to. Null: no package with entry points speaks for it. */
function unreachedRole(sources: Sources, path: string, dirs: ReadonlySet<string>, tree: JavaScriptTree): Role | null {
  if (isInstalled(path) || sources.collected.has(path)) return null;
  const owner = packageOf(
    path,
    tree.packages.map((one) => one.dir),
  );
  const hasEntries = tree.packages.some((one) => one.dir === owner && tree.entriesOf(one).length > 0);
  if (!hasEntries || isTestName(path) || inTestDir(path)) return null;
  const word = assertionWord('javascript', sources.text(path));
  if ([...dirs].some((dir) => liesBelow(path, dir))) {
    if (isSupportName(path) && (word !== null || /test|spec/i.test(nameOf(path))))
      return supportRole('no entry point of the product leads to it');
    if (isSupportName(path)) return doubtfulRole('only_words', 'has the name of one');
    return word === null ? productRole(true) : doubtfulRole('only_words', `says "${word}"`);
  }
  if (/\.d\.[cm]?ts$/.test(path)) return productRole(true);
  // Beside the manifest: an entry point that the manifest does not name, or a helper.
  return parentOf(path) === owner && word === null && !isSupportName(path) && !isSettingsName(path)
    ? doubtfulRole('not_reached')
    : null;
}

const isSettingsName = (path: string): boolean =>
  /(?:\.config|\.conf|\.setup|rc)\.[cm]?[jt]s$|(?:^|\/)(?:gulpfile|Gruntfile)\./.test(path);
