import type { LockedPackage } from '../lockfiles/locked.ts';
import type { DependencyChange } from './changes.ts';
import type { LockComparison } from './compare-locks.ts';
import type { Source } from './source.ts';

/** Why a dependency of the patch cannot be provisioned for judging. */
export type DependencyRefusalCode =
  | 'not_from_registry'
  | 'new_registry'
  | 'needs_install_script'
  | 'other_package'
  | 'changed_hash'
  | 'override'
  | 'lockfile_deleted'
  | 'unreadable';

export interface DependencyRefusal {
  readonly code: DependencyRefusalCode;
  /** The package; of a lockfile its path. */
  readonly name: string;
  /** The file that asks for it. */
  readonly path: string;
  /** For people: what is wrong with it, after its name and a colon. */
  readonly detail: string;
}

export const unreadableDependency = (path: string, detail: string): DependencyRefusal => ({
  code: 'unreadable',
  name: path,
  path,
  detail,
});

/** Of what a manifest asks for. */
export function refuseChange(path: string, change: DependencyChange): readonly DependencyRefusal[] {
  const { name, toSource } = change;
  if (toSource === null || isProvisionable(change, toSource)) return [];
  return [
    { code: 'not_from_registry', name, path, detail: `comes from ${describeSource(toSource)}, not from a registry` },
  ];
}

/** A sibling of the tree may be added, but nothing that the base has may be replaced by one. */
function isProvisionable({ group, from, to, fromSource, inBase }: DependencyChange, source: Source): boolean {
  switch (source.kind) {
    case 'registry':
      return true;
    case 'alias':
      return group !== 'override';
    case 'tree':
      if (fromSource?.kind === 'tree') {
        return fromSource.at === source.at || [from, to].every((spec) => spec?.startsWith('workspace:') === true);
      }
      return group !== 'override' && !inBase;
    default:
      return false;
  }
}

function describeSource(source: Source): string {
  switch (source.kind) {
    case 'registry':
      return 'the registry';
    case 'alias':
      return `another module, ${source.of}`;
    case 'tree':
      return `the directory ${source.at}`;
    default:
      return source.at;
  }
}

/** Of what a lockfile would install. `isProduct`: whether the product needs a package of this name. */
export function refuseLocked(
  path: string,
  { fetched, rehashed, newOrigins }: LockComparison,
  base: readonly LockedPackage[],
  isProduct: (name: string) => boolean,
): readonly DependencyRefusal[] {
  const own = new Set(base.filter(({ source }) => source.kind === 'tree').map(({ name }) => name));
  const installed = new Set(base.map(({ name }) => name).filter((name) => !own.has(name)));
  return [
    ...fetched.flatMap(({ name, source, isReally, runsScript }): readonly DependencyRefusal[] => {
      if (source.kind === 'tree') {
        const detail = 'comes from a directory of the tree, not from a registry';
        return installed.has(name) ? [{ code: 'not_from_registry', name, path, detail }] : [];
      }
      if (source.kind !== 'registry') {
        return [{ code: 'not_from_registry', name, path, detail: `comes from ${source.at}, not from a registry` }];
      }
      if (isReally !== null)
        return [{ code: 'other_package', name, path, detail: `is really the package ${isReally}` }];
      if (!runsScript || !isProduct(name)) return [];
      return [{ code: 'needs_install_script', name, path, detail: 'runs a script of its own when it is installed' }];
    }),
    ...rehashed.map(({ name, version }) => ({
      code: 'changed_hash' as const,
      name,
      path,
      detail: `has another hash than the base's ${version}`,
    })),
    ...[...newOrigins].map(([origin, { name }]) => ({
      code: 'new_registry' as const,
      name,
      path,
      detail: `comes from ${origin}, which the base's lockfile does not use`,
    })),
  ];
}
