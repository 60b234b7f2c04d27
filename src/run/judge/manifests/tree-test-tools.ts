import { posix } from 'node:path';
import type { DependencyEntry } from './dependencies/entry.ts';
import { type ManifestKind, MANIFESTS } from './manifest.ts';
import { type PackageEcosystem, packageName } from './test-tools.ts';

export interface BaseManifest {
  readonly kind: ManifestKind;
  /** From the root of the tree. */
  readonly path: string;
  /** Null: the base has no such file. */
  readonly base: string | null;
}

/**
 * Packages that any manifest of the base has for development alone. Tests of one package use what the root of the workspace
 * lists, so a patch must not bring another version of it by any other manifest.
 */
export function treeTestTools(ecosystem: PackageEcosystem, manifests: readonly BaseManifest[]): ReadonlySet<string> {
  const entries = manifests
    .filter(({ kind }) => MANIFESTS[kind].ecosystem === ecosystem)
    .flatMap(baseEntries)
    .map((entry) => ({ ...entry, name: packageName(ecosystem, entry.name) }));
  const product = new Set(entries.filter(isForProduct).map(({ name }) => name));
  return new Set(entries.filter(({ group, name }) => group === 'test' && !product.has(name)).map(({ name }) => name));
}

function baseEntries({ kind, path, base }: BaseManifest): readonly DependencyEntry[] {
  const { format, entries } = MANIFESTS[kind];
  const reading = base === null ? null : format.read(base);
  return reading === null || 'fault' in reading ? [] : entries(reading.table, posix.dirname(path));
}

/** What a Cargo workspace lists is for whichever crate asks for it. */
const isForProduct = ({ group, key }: DependencyEntry): boolean =>
  group === 'product' && !key.startsWith('workspace.dependencies.');
