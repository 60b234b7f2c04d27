import { npmSource } from '../dependencies/source.ts';
import { isTable, type Table, tableAt, textAt, textOf } from '../value.ts';
import { groupedBy } from './grouped-by.ts';
import {
  locked,
  type LockedPackage,
  type LockedSource,
  type LockReading,
  npmNeeds,
  registryArchive,
} from './locked.ts';
import { parseYamlTable } from './yaml.ts';

/** pnpm-lock.yaml of the versions 5 to 9. */
export function readPnpmLock(text: string): LockReading {
  const reading = parseYamlTable(text);
  if ('fault' in reading) return reading;
  const snapshots = groupedBy([...tableAt(reading.table, 'snapshots')], ([key]) => withoutPeers(key));
  return {
    packages: [...tableAt(reading.table, 'packages')].flatMap(([key, entry]) =>
      isTable(entry) ? [packageOf(key, entry, (snapshots.get(key) ?? []).map(([, one]) => one).filter(isTable))] : [],
    ),
  };
}

function packageOf(key: string, entry: Table, snapshots: readonly Table[]): LockedPackage {
  const { name, version } = splitKey(key);
  const own = textAt(entry, 'name') ?? name;
  const needs = [entry, ...snapshots].flatMap(npmNeeds);
  const resolution = tableAt(entry, 'resolution');
  const hash = textAt(resolution, 'integrity');
  return locked({
    id: key,
    name: own,
    version: textAt(entry, 'version') ?? version,
    source: sourceOf(key, version, own, resolution),
    hashes: hash === null ? [] : [hash],
    runsScript: entry.get('requiresBuild') === 'true',
    needs,
  });
}

/** `/name/1.0.0_peer` (version 5), `/name@1.0.0(peer)` (6), `name@1.0.0` (9). */
function splitKey(key: string): { readonly name: string; readonly version: string } {
  const plain = withoutPeers(key).replace(/^\//, '');
  const [, name, version] = /^((?:@[^/@]+\/)?[^/@]+)[@/](.*)$/.exec(plain) ?? [];
  return { name: name ?? plain, version: (version ?? '').replace(/_.*$/, '') };
}

const withoutPeers = (key: string): string => key.replace(/\(.*$/, '');

function sourceOf(key: string, version: string, name: string, resolution: Table): LockedSource {
  if (textAt(resolution, 'directory') !== null) return { kind: 'tree' };
  const git = textAt(resolution, 'repo');
  if (git !== null) return { kind: 'git', at: git };
  const archive = textAt(resolution, 'tarball');
  if (archive !== null) {
    const source = npmSource(archive, '');
    if (source.kind === 'url') return registryArchive(archive, name) ?? source;
    return source.kind === 'tree' ? { kind: 'tree' } : { kind: 'other', at: archive };
  }
  if (!/^\d/.test(version)) return { kind: 'other', at: key };
  return textOf(resolution.get('type')) === '' ? { kind: 'registry', origins: [] } : { kind: 'other', at: key };
}
