import { parseTomlTable } from '../formats/toml.ts';
import { tablesOf, textAt, textOf, textsOf } from '../value.ts';
import { locked, type LockedSource, type LockReading } from './locked.ts';

export function readCargoLock(text: string): LockReading {
  const reading = parseTomlTable(text);
  if ('fault' in reading) return reading;
  return {
    packages: tablesOf(reading.table.get('package')).map((entry) => {
      const [name, version] = [textOf(entry.get('name')), textOf(entry.get('version'))];
      const address = textAt(entry, 'source');
      const hash = textAt(entry, 'checksum');
      return locked({
        id: `${name}@${version}${address === null ? '' : ` ${address}`}`,
        name,
        version,
        source: sourceOf(address),
        hashes: hash === null ? [] : [hash],
        needs: textsOf(entry.get('dependencies')).map((one) => one.split(' ')[0] ?? one),
      });
    }),
  };
}

/** Crates of the tree have no source. */
function sourceOf(address: string | null): LockedSource {
  if (address === null) return { kind: 'tree' };
  const [, kind, at] = /^(registry|sparse|git)\+(.*)$/.exec(address) ?? [];
  if (kind === undefined || at === undefined) return { kind: 'other', at: address };
  return kind === 'git' ? { kind, at } : { kind: 'registry', origins: [at] };
}
