import { groupedBy } from '../lockfiles/grouped-by.ts';
import type { LockedPackage } from '../lockfiles/locked.ts';

/** How the packages of a lockfile differ between base and patch. */
export interface LockComparison {
  /** Names of all packages that are installed differently. */
  readonly changed: ReadonlySet<string>;
  /** Packages that the base's file does not have anywhere: these would have to be fetched. */
  readonly fetched: readonly LockedPackage[];
  /** Packages whose version is the base's, but whose hashes are not. */
  readonly rehashed: readonly LockedPackage[];
  /** Registries that the base's file does not use. */
  readonly newOrigins: ReadonlyMap<string, LockedPackage>;
  readonly baseOrigins: readonly string[];
}

export function compareLocks(ours: readonly LockedPackage[], theirs: readonly LockedPackage[]): LockComparison {
  // Packages of the tree itself are nothing to install: a release changes their version, no more.
  const isOwn = ownTest(ours, theirs);
  return compareInstalled(
    ours.filter((one) => !isOwn(one)),
    theirs.filter((one) => !isOwn(one)),
  );
}

function ownTest(...sides: readonly (readonly LockedPackage[])[]): (one: LockedPackage) => boolean {
  const names = sides.map((side) => new Set(side.filter(isOfTree).map(({ name }) => name)));
  return (one) => isOfTree(one) && names.every((side) => side.has(one.name));
}

const isOfTree = ({ source }: LockedPackage): boolean => source.kind === 'tree';

function compareInstalled(base: readonly LockedPackage[], patch: readonly LockedPackage[]): LockComparison {
  const ours = new Map(base.map((one) => [one.id, contentOf(one)]));
  const theirs = new Map(patch.map((one) => [one.id, contentOf(one)]));
  const known = groupedBy(base, releaseOf);
  const contents = new Set(base.map(contentOf));
  const baseOrigins = new Set(base.flatMap(originsOf));
  const fetched = patch.filter((one) => !contents.has(contentOf(one)));
  return {
    changed: new Set([
      ...patch.filter(({ id }) => ours.get(id) !== theirs.get(id)).map(({ name }) => name),
      ...base.filter(({ id }) => ours.get(id) !== theirs.get(id)).map(({ name }) => name),
    ]),
    fetched,
    rehashed: fetched.filter((one) => isRehashed(one, known.get(releaseOf(one)) ?? [])),
    newOrigins: new Map(
      fetched.flatMap((one) =>
        originsOf(one)
          .filter((origin) => !baseOrigins.has(origin))
          .map((origin) => [origin, one] as const),
      ),
    ),
    baseOrigins: [...baseOrigins],
  };
}

const releaseOf = ({ name, version }: LockedPackage): string => `${name} ${version}`;

function contentOf(one: LockedPackage): string {
  return JSON.stringify([one.name, one.version, one.source, one.hashes.toSorted(), one.isReally]);
}

const originsOf = ({ source }: LockedPackage): readonly string[] => (source.kind === 'registry' ? source.origins : []);

/** A release may gain files, and so hashes; none of the base's of that kind being left means another content. */
function isRehashed(one: LockedPackage, before: readonly LockedPackage[]): boolean {
  const hashes = new Set(before.flatMap((other) => other.hashes));
  const kinds = new Set([...hashes].map(hashKind));
  return one.hashes.some((hash) => kinds.has(hashKind(hash))) && !one.hashes.some((hash) => hashes.has(hash));
}

/** `sha512`, `10c0`: what stands before the hash itself. */
const hashKind = (hash: string): string => /^(\w+)[-/:]/.exec(hash)?.[1] ?? '';

/** Names of the packages that are reached from others by what a lockfile says they need. */
export function reachedFrom(roots: Iterable<string>, packages: readonly LockedPackage[]): ReadonlySet<string> {
  const needs = groupedBy(packages, ({ name }) => name);
  const reached = new Set<string>();
  const waiting = [...roots];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue;
    reached.add(name);
    waiting.push(...(needs.get(name) ?? []).flatMap((one) => one.needs));
  }
  return reached;
}
