import type { BaseRecord } from '../../../../evidence/schema/base-record.ts';
import { reachedFrom } from '../../manifests/dependencies/compare-locks.ts';
import { decideDependencies, type DependencyVerdict } from '../../manifests/dependencies/decide.ts';
import { lockfileFormat } from '../../manifests/lockfiles/read.ts';
import type { LockedPackage } from '../../manifests/lockfiles/locked.ts';
import { manifestKind, MANIFESTS } from '../../manifests/manifest.ts';
import { packageName, toolTest } from '../../manifests/test-tools.ts';
import { treeTestTools } from '../../manifests/tree-test-tools.ts';
import { compareTrees } from '../../../../task/tree/compare.ts';
import { pathName } from '../../deciding/path-name.ts';
import type { ReadableTree } from '../trees/base-tree.ts';
import type { PackageUse } from '../trees/deciding-tree.ts';
import { dirname } from 'node:path/posix';

/** A Python package whose requirement changed. */
export interface PythonRequirement {
  readonly name: string;
  /** As pip reads it; null: no longer needed. */
  readonly spec: string | null;
}

/** What has to be installed to judge a change. */
export interface DependencyChanges {
  /** Changed requirements of the product, as shown to people: `content-disposition of package.json (^1.0.0, now ^2.0.1)`. */
  readonly named: readonly string[];
  /** Names of packages whose requirement changed or was removed. */
  readonly wanted: readonly string[];
  readonly dropped: readonly string[];
  /**
   * Lockfiles of the patch that can be used unchanged, because their test tools are the base's. Empty: the base's lockfiles are
   * followed.
   */
  readonly lockfiles: ReadonlyMap<string, string>;
  readonly python: readonly PythonRequirement[];
  /** Registries in the base's lockfiles. Empty: the package manager decides. */
  readonly origins: readonly string[];
  /** pip options of the base that say where to find packages. */
  readonly pipOptions: readonly string[];
  /** Whether tests depend on a Python package, so that it stays in the base's version. */
  readonly isPythonTool: (name: string) => boolean;
}

export type DependencyPlan =
  /** The base's dependencies are used. */
  | { readonly kind: 'base' }
  /** Sentences for people. */
  | { readonly kind: 'blocked'; readonly reasons: readonly string[] }
  | { readonly kind: 'install'; readonly changes: DependencyChanges };

const NOT_OF_PRODUCT = /(?:^|\/)(?:node_modules|vendor|tests?|__tests__|fixtures?|examples?|target|\.venv|venv)\//;

/** Packages that the base's tests use and that its product does not ask for. */
export function testToolsOf(record: Pick<BaseRecord, 'outside_modules'>, base: ReadableTree): ReadonlySet<string> {
  if (record.outside_modules.length === 0) return new Set();
  const entries = manifestsOf(base).flatMap((path) => entriesOf(base, path));
  const product = entries.filter(({ group }) => group === 'product').map(({ name }) => name);
  const locked = base.paths.flatMap((path) => (lockfileFormat(path) === null ? [] : packagesIn(path, base.read(path))));
  const needed = new Set([...product, ...reachedFrom(product, locked)]);
  return new Set(record.outside_modules.filter((name) => !needed.has(name)));
}

/** Decides what to install for a change, from the manifests and lockfiles of both trees. */
export function planDependencies(
  base: ReadableTree,
  patched: ReadableTree,
  { testTools, loaded }: PackageUse,
): DependencyPlan {
  const isList = (path: string): boolean => manifestKind(path) !== null || lockfileFormat(path) !== null;
  if (!compareTrees(base.walked, patched.walked).some(({ path }) => isList(pathName(path)))) return { kind: 'base' };
  const paths = [...new Set([...base.paths, ...patched.paths])].filter((path) => !NOT_OF_PRODUCT.test(path));
  const both = (path: string): { path: string; base: string | null; patch: string | null } => ({
    path,
    base: base.read(path),
    patch: patched.read(path),
  });
  const manifests = paths.flatMap((path) => {
    const kind = manifestKind(path);
    return kind === null ? [] : [{ ...both(path), kind }];
  });
  const lockfiles = paths.filter((path) => lockfileFormat(path) !== null).map(both);
  const verdict = decideDependencies({ manifests, lockfiles, testTools, loaded });
  const { decision } = verdict;
  const changesProduct = verdict.locked.product.length > 0 || verdict.changes.some(({ group }) => group === 'product');
  // Whatever else differs has no vote: it is not installed.
  if (decision.kind === 'unchanged' || !changesProduct) return { kind: 'base' };
  if (decision.kind === 'refused')
    return {
      kind: 'blocked',
      reasons: decision.refusals.map(({ name, path, detail }) => `${name} of ${path} ${detail}`),
    };
  const changed = lockfiles.filter((file) => file.base !== file.patch && file.base !== null && file.patch !== null);
  const developed = treeTestTools('python', manifests);
  return {
    kind: 'install',
    changes: {
      named: namedChanges(verdict),
      wanted: verdict.changes.filter(({ group, to }) => group === 'product' && to !== null).map(({ name }) => name),
      dropped: verdict.changes.filter(({ to }) => to === null).map(({ name }) => name),
      lockfiles: new Map(decision.kind === 'product_only' ? changed.map(({ path, patch }) => [path, patch ?? '']) : []),
      python: pythonRequirements(verdict, lockfiles),
      origins: verdict.origins,
      pipOptions: pipOptionsOf(lockfiles),
      isPythonTool: toolTest('python', testTools, developed),
    },
  };
}

function namedChanges({ changes, locked }: DependencyVerdict): readonly string[] {
  const asked = changes.filter(({ group }) => group === 'product');
  return asked.length === 0
    ? locked.product
    : asked.map(({ name, path, from, to }) => `${name} of ${path} (${from ?? 'new'}, now ${to ?? 'not needed'})`);
}

function manifestsOf(tree: ReadableTree): string[] {
  return tree.paths.filter((path) => manifestKind(path) !== null && !NOT_OF_PRODUCT.test(path));
}

function entriesOf(tree: ReadableTree, path: string): ReturnType<(typeof MANIFESTS)['package.json']['entries']> {
  const kind = manifestKind(path);
  const text = tree.read(path);
  if (kind === null || text === null) return [];
  const reading = MANIFESTS[kind].format.read(text);
  return 'fault' in reading ? [] : MANIFESTS[kind].entries(reading.table, dirname(path));
}

function packagesIn(path: string, text: string | null): readonly LockedPackage[] {
  if (NOT_OF_PRODUCT.test(path) || text === null) return [];
  const reading = lockfileFormat(path)?.read(text);
  return reading === undefined || 'fault' in reading ? [] : reading.packages;
}

/** What lockfiles pin comes before what manifests ask for. */
function pythonRequirements(
  { changes, locked }: DependencyVerdict,
  lockfiles: readonly { readonly path: string; readonly patch: string | null }[],
): readonly PythonRequirement[] {
  const wanted = new Map<string, string | null>();
  const isPython = (path: string): boolean => {
    const kind = manifestKind(path);
    return (kind === null ? lockfileFormat(path)?.ecosystem : MANIFESTS[kind].ecosystem) === 'python';
  };
  for (const { name, group, path, to } of changes)
    if (group === 'product' && isPython(path)) wanted.set(packageName('python', name), asRequirement(name, to));
  for (const { path, patch } of lockfiles.filter((file) => isPython(file.path))) {
    const packages = packagesIn(path, patch);
    for (const name of locked.product) {
      const found = packages.find((one) => one.name === name);
      if (found !== undefined) wanted.set(packageName('python', name), pinned(found));
      else if (!wanted.has(packageName('python', name))) wanted.set(packageName('python', name), null);
    }
  }
  return [...wanted].map(([name, spec]) => ({ name, spec }));
}

function pipOptionsOf(lockfiles: readonly { readonly path: string; readonly base: string | null }[]): string[] {
  const options = lockfiles
    .filter(({ path }) => lockfileFormat(path)?.ecosystem === 'python')
    .flatMap(({ path, base }) => packagesIn(path, base))
    .filter(({ name, source }) => name.startsWith('-') && source.kind === 'other');
  return [...new Set(options.map(({ name }) => name))];
}

/** Poetry's tables hold no requirement: the newest version is taken then. */
const asRequirement = (name: string, spec: string | null): string | null =>
  spec === null ? null : spec.toLowerCase().startsWith(name.toLowerCase()) ? spec : name;

/** A requirement as it stands in a list, or a version in a lockfile. */
const pinned = ({ name, version }: LockedPackage): string =>
  /^\d/.test(version) ? `${name}==${version}` : version || name;
