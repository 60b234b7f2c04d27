import { posix } from 'node:path';
import type { LockedPackage } from '../lockfiles/locked.ts';
import { type LockfileFormat, lockfileFormat } from '../lockfiles/read.ts';
import { type PackageEcosystem, toolTest } from '../test-tools.ts';
import { compareLocks, reachedFrom } from './compare-locks.ts';
import type { DependencyEntry } from './entry.ts';
import { type DependencyRefusal, refuseLocked, unreadableDependency } from './refusal.ts';

export interface LockfileFacts {
  /** From the root of the tree. */
  readonly path: string;
  readonly base: string | null;
  readonly patch: string | null;
}

/** What a manifest depends on, before and after. */
export interface ManifestEntries {
  readonly path: string;
  readonly ecosystem: PackageEcosystem;
  readonly base: readonly DependencyEntry[];
  readonly patch: readonly DependencyEntry[];
}

export interface LockVerdict {
  readonly product: readonly string[];
  readonly test: readonly string[];
  readonly refusals: readonly DependencyRefusal[];
  readonly origins: readonly string[];
  /** The whole file was added or deleted. It has no vote then: what is installed follows the base. */
  readonly isWhole: boolean;
}

export function compareLockfile(
  { path, base, patch }: LockfileFacts,
  manifests: readonly ManifestEntries[],
  toolsOf: (ecosystem: PackageEcosystem) => ReadonlySet<string>,
): LockVerdict {
  const format = lockfileFormat(path);
  const none = { product: [], test: [], refusals: [], origins: [], isWhole: base === null || patch === null };
  if (format === null) return { ...none, refusals: [unreadableDependency(path, 'is of a kind that cannot be read')] };
  if (base === null || patch === null) return none;
  const [ours, theirs] = [format.read(base), format.read(patch)];
  if ('fault' in ours || 'fault' in theirs) {
    const faults = [ours, theirs].flatMap((reading) => ('fault' in reading ? [reading.fault] : []));
    return { ...none, refusals: faults.map((detail) => unreadableDependency(path, detail)) };
  }
  const compared = compareLocks(ours.packages, theirs.packages);
  const isProduct = productTest(path, format, manifests, toolsOf(format.ecosystem), [
    ...ours.packages,
    ...theirs.packages,
  ]);
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
  manifests: readonly ManifestEntries[],
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
