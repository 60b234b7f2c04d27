import { type Table, tableAt } from '../value.ts';

/** Where a locked package is taken from. */
export type LockedSource =
  /** `origins`: scheme and host, or the index, as the file names them; none where it leaves that to the package manager. */
  | { readonly kind: 'registry'; readonly origins: readonly string[] }
  /** A directory of the tree itself. */
  | { readonly kind: 'tree' }
  | { readonly kind: 'path' | 'git' | 'url' | 'other'; readonly at: string };

export interface LockedPackage {
  /** Where it is installed, or its name and version: no other package of the file has it. */
  readonly id: string;
  /** The name under which code imports it. */
  readonly name: string;
  readonly version: string;
  readonly source: LockedSource;
  /** Any of these hashes fits. Empty: the file has none. */
  readonly hashes: readonly string[];
  /** It runs a script of its own when it is installed. Some lockfiles do not say. */
  readonly runsScript: boolean;
  /** Names of packages that it depends on. */
  readonly needs: readonly string[];
  /** It is another package than its name says: the name of that one. */
  readonly isReally: string | null;
}

export type LockReading = { readonly packages: readonly LockedPackage[] } | { readonly fault: string };

export function locked(
  facts: Pick<LockedPackage, 'id' | 'name' | 'version' | 'source'> & Partial<LockedPackage>,
): LockedPackage {
  return { hashes: [], runsScript: false, needs: [], isReally: null, ...facts };
}

/** What a package of npm's, pnpm's or yarn's lockfile needs. */
export function npmNeeds(entry: Table): readonly string[] {
  return ['dependencies', 'optionalDependencies', 'peerDependencies'].flatMap((list) => [
    ...tableAt(entry, list).keys(),
  ]);
}

/** Tells packages with the same id apart: one version may stand there for several platforms. */
export function numbered(packages: readonly LockedPackage[]): readonly LockedPackage[] {
  const seen = new Map<string, number>();
  return packages.map((one) => {
    const count = (seen.get(one.id) ?? 0) + 1;
    seen.set(one.id, count);
    return count === 1 ? one : { ...one, id: `${one.id} (${count})` };
  });
}

/** Scheme and host of an address; the text itself where it is none. */
export function originOf(address: string): string {
  try {
    const { protocol, host } = new URL(address);
    return host === '' ? address : `${protocol}//${host}`;
  } catch {
    return address;
  }
}

/** The archive of a package at a registry, where the path names the package; null: it names another one, or none. */
export function registryArchive(address: string, name: string): LockedSource | null {
  let path: string;
  try {
    path = decodeURIComponent(new URL(address).pathname);
  } catch {
    return null;
  }
  const isNamed = path.includes(`/${name}/-/`) || path.includes(`/download/${name}/`);
  return isNamed ? { kind: 'registry', origins: [originOf(address)] } : null;
}
