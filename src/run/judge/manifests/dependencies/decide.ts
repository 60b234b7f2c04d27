import { posix } from 'node:path';
import type { LockedPackage } from '../lockfiles/locked.ts';
import { type LockfileFormat, lockfileFormat } from '../lockfiles/read.ts';
import { MANIFESTS } from '../manifest.ts';
import { type ManifestRequest, mergeManifest } from '../merge.ts';
import { type Ecosystem, toolTest } from '../test-tools.ts';
import type { DependencyChange } from './changes.ts';
import { compareLocks, reachedFrom } from './compare-locks.ts';
import type { DependencyEntry } from './entry.ts';
import { type DependencyRefusal, refuseChange, refuseLocked } from './refusal.ts';

export interface DependencyFacts {
  /** Every manifest of the tree, unchanged ones included: they name what the product needs. */
  readonly manifests: readonly Omit<ManifestRequest, 'testTools'>[];
  readonly lockfiles: readonly LockfileFacts[];
  /** Packages that the base's tests use. */
  readonly testTools: ReadonlySet<string>;
}

export interface LockfileFacts {
  /** From the root of the tree. */
  readonly path: string;
  readonly base: string | null;
  readonly patch: string | null;
}

export type DependencyDecision =
  /** Judge with the base's dependencies. */
  | { readonly kind: 'unchanged' }
  /** Provision the patch's, without scripts, from `origins` alone. */
  | { readonly kind: 'product_only' }
  /** The same, with the base's test tools. Where the product's are unchanged too, the base's dependencies serve as they are. */
  | { readonly kind: 'test_tools_changed'; readonly productChanged: boolean }
  | { readonly kind: 'refused'; readonly refusals: readonly DependencyRefusal[] };

export interface DependencyVerdict {
  readonly decision: DependencyDecision;
  /** What the manifests ask for differently. */
  readonly changes: readonly (DependencyChange & { readonly path: string })[];
  /** Names of packages that lockfiles install differently. */
  readonly locked: { readonly product: readonly string[]; readonly test: readonly string[] };
  /** Registries that the base's lockfiles use. Empty: they leave that to the package manager. */
  readonly origins: readonly string[];
}

/** What a patch changes about dependencies, and whether that can be provisioned for judging. */
export function decideDependencies(facts: DependencyFacts): DependencyVerdict {
  const manifests = facts.manifests.map((manifest) => readManifest({ ...manifest, testTools: facts.testTools }));
  const changes = manifests.flatMap(({ path, changed }) => changed.map((change) => ({ ...change, path })));
  const locks = facts.lockfiles
    .filter(({ base, patch }) => base !== patch)
    .map((lockfile) => compareLockfile(lockfile, manifests, facts.testTools));
  const locked = {
    product: [...new Set(locks.flatMap(({ product }) => product))],
    test: [...new Set(locks.flatMap(({ test }) => test))],
  };
  const productChanged = locked.product.length > 0 || changes.some(({ group }) => group === 'product');
  const refusals = [
    ...manifests.flatMap(({ path, problems }) => problems.map((detail) => unreadable(path, detail))),
    ...changes.flatMap((change) => refuseChange(change.path, change)),
    ...locks.flatMap((lock) => lock.refusals),
    ...(productChanged ? changes.filter(({ group }) => group === 'override').map(refuseOverride) : []),
    ...(productChanged ? facts.lockfiles.filter(isDeleted).map(refuseDeleted) : []),
  ];
  const testChanged =
    locked.test.length > 0 || locks.some(({ isWhole }) => isWhole) || changes.some(({ group }) => group !== 'product');
  return {
    decision: decisionOf(distinct(refusals), productChanged, testChanged),
    changes,
    locked,
    origins: [...new Set(locks.flatMap(({ origins }) => origins))],
  };
}

function decisionOf(
  refusals: readonly DependencyRefusal[],
  productChanged: boolean,
  testChanged: boolean,
): DependencyDecision {
  if (refusals.length > 0) return { kind: 'refused', refusals };
  if (testChanged) return { kind: 'test_tools_changed', productChanged };
  return { kind: productChanged ? 'product_only' : 'unchanged' };
}

interface ManifestReading {
  readonly path: string;
  readonly ecosystem: Ecosystem;
  readonly base: readonly DependencyEntry[];
  readonly patch: readonly DependencyEntry[];
  readonly changed: readonly DependencyChange[];
  readonly problems: readonly string[];
}

function readManifest(request: ManifestRequest): ManifestReading {
  const { path, kind } = request;
  const { ecosystem, format, entries } = MANIFESTS[kind];
  const read = (text: string | null): readonly DependencyEntry[] => {
    const reading = text === null ? null : format.read(text);
    return reading === null || 'fault' in reading ? [] : entries(reading.table, posix.dirname(path));
  };
  const { dependencies, problems } = mergeManifest(request);
  return { path, ecosystem, base: read(request.base), patch: read(request.patch), changed: dependencies, problems };
}

interface LockVerdict {
  readonly product: readonly string[];
  readonly test: readonly string[];
  readonly refusals: readonly DependencyRefusal[];
  readonly origins: readonly string[];
  /** The whole file was added or deleted. It has no vote then: what is installed follows the base. */
  readonly isWhole: boolean;
}

function compareLockfile(
  { path, base, patch }: LockfileFacts,
  manifests: readonly ManifestReading[],
  testTools: ReadonlySet<string>,
): LockVerdict {
  const format = lockfileFormat(path);
  const none = { product: [], test: [], refusals: [], origins: [], isWhole: base === null || patch === null };
  if (format === null) return { ...none, refusals: [unreadable(path, 'is of a kind that cannot be read')] };
  if (base === null || patch === null) return none;
  const [ours, theirs] = [format.read(base), format.read(patch)];
  if ('fault' in ours || 'fault' in theirs) {
    const faults = [ours, theirs].flatMap((reading) => ('fault' in reading ? [reading.fault] : []));
    return { ...none, refusals: faults.map((detail) => unreadable(path, detail)) };
  }
  const compared = compareLocks(ours.packages, theirs.packages);
  const isProduct = productTest(path, format, manifests, testTools, [...ours.packages, ...theirs.packages]);
  const names = [...compared.changed];
  return {
    ...none,
    product: names.filter(isProduct),
    test: names.filter((name) => !isProduct(name)),
    refusals: refuseLocked(path, compared, ours.packages, isProduct),
    origins: compared.baseOrigins,
  };
}

/** By what the product's own dependencies lead to; where a lockfile does not say that, all but test tools are the product's. */
function productTest(
  path: string,
  { ecosystem, isForTests, hasEdges }: LockfileFormat,
  manifests: readonly ManifestReading[],
  testTools: ReadonlySet<string>,
  packages: readonly LockedPackage[],
): (name: string) => boolean {
  const dir = posix.dirname(path);
  const near = manifests.filter((one) => one.ecosystem === ecosystem && isBelow(one.path, dir));
  const development = near.flatMap(({ base }) => base.filter(({ group }) => group === 'test').map(({ name }) => name));
  const isTool = toolTest(ecosystem, testTools, development);
  if (isForTests) return () => false;
  if (!hasEdges) return (name) => !isTool(name);
  const roots = near
    .flatMap(({ base, patch }) => [...base, ...patch])
    .filter(({ group, name }) => group === 'product' && !isTool(name))
    .map(({ name }) => name);
  const reached = reachedFrom(roots, packages);
  return (name) => reached.has(name) && !isTool(name);
}

const isBelow = (path: string, dir: string): boolean => dir === '.' || path.startsWith(`${dir}/`);

const unreadable = (path: string, detail: string): DependencyRefusal => ({
  code: 'unreadable',
  name: path,
  path,
  detail,
});

function refuseOverride({ name, path, key }: DependencyChange & { readonly path: string }): DependencyRefusal {
  return { code: 'override', name, path, detail: `is replaced by ${key}, which may reach test tools too` };
}

const isDeleted = ({ base, patch }: LockfileFacts): boolean => base !== null && patch === null;

function refuseDeleted({ path }: LockfileFacts): DependencyRefusal {
  return { code: 'lockfile_deleted', name: path, path, detail: 'is deleted while dependencies change' };
}

function distinct(refusals: readonly DependencyRefusal[]): readonly DependencyRefusal[] {
  return [...new Map(refusals.map((one) => [JSON.stringify([one.code, one.name, one.path]), one])).values()];
}
