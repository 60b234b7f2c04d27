import { posix } from 'node:path';
import { MANIFESTS } from '../manifest.ts';
import { type ManifestRequest, mergeManifest } from '../merge.ts';
import type { PackageEcosystem } from '../test-tools.ts';
import { treeTestTools } from '../tree-test-tools.ts';
import type { DependencyChange } from './changes.ts';
import { compareLockfile, type LockfileFacts, type ManifestEntries } from './compare-lockfile.ts';
import type { DependencyEntry } from './entry.ts';
import { type DependencyRefusal, refuseChange, unreadableDependency } from './refusal.ts';

export interface DependencyFacts {
  /** Every manifest of the tree, unchanged ones included: they name what the product needs. */
  readonly manifests: readonly Omit<ManifestRequest, 'testTools' | 'loaded'>[];
  readonly lockfiles: readonly LockfileFacts[];
  /** Packages that the base's test files import. What manifests list for development is added. */
  readonly testTools: ReadonlySet<string>;
  /** Packages that code of the product loads since the patch. */
  readonly loaded?: ReadonlySet<string>;
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
  const toolsOf = testToolsBy(facts);
  const manifests = facts.manifests.map((manifest) =>
    readManifest({
      ...manifest,
      testTools: toolsOf(MANIFESTS[manifest.kind].ecosystem),
      loaded: facts.loaded ?? new Set(),
    }),
  );
  const changes = manifests.flatMap(({ path, changed }) => changed.map((change) => ({ ...change, path })));
  const locks = facts.lockfiles
    .filter(({ base, patch }) => base !== patch)
    .map((lockfile) => compareLockfile(lockfile, manifests, toolsOf));
  const locked = {
    product: [...new Set(locks.flatMap(({ product }) => product))],
    test: [...new Set(locks.flatMap(({ test }) => test))],
  };
  const productChanged = locked.product.length > 0 || changes.some(({ group }) => group === 'product');
  const refusals = [
    ...manifests.flatMap(({ path, problems }) => problems.map((detail) => unreadableDependency(path, detail))),
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

/** By language: what tests import, and what the manifests list for development. */
function testToolsBy({ manifests, testTools }: DependencyFacts): (ecosystem: PackageEcosystem) => ReadonlySet<string> {
  const known = new Map<PackageEcosystem, ReadonlySet<string>>();
  return (ecosystem) => {
    const tools = known.get(ecosystem) ?? new Set([...testTools, ...treeTestTools(ecosystem, manifests)]);
    known.set(ecosystem, tools);
    return tools;
  };
}

interface ManifestReading extends ManifestEntries {
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
