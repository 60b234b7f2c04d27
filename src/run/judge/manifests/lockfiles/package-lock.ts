import { dirSource, npmSource } from '../dependencies/source.ts';
import { parseJsonTable } from '../formats/json.ts';
import { isTable, type Table, tableAt, textAt, textOf } from '../value.ts';
import {
  locked,
  type LockedPackage,
  type LockedSource,
  type LockReading,
  npmNeeds,
  registryArchive,
} from './locked.ts';

/** npm's package-lock.json and npm-shrinkwrap.json. Version 2 holds the tree twice, for old and for new npm: both are read. */
export function readPackageLock(text: string): LockReading {
  const reading = parseJsonTable(text);
  if ('fault' in reading) return reading;
  const aliases = aliasesIn(tableAt(reading.table, 'packages'));
  return {
    packages: [
      ...[...tableAt(reading.table, 'packages')].flatMap(([path, entry]) =>
        isTable(entry) ? installed(path, entry, aliases) : [],
      ),
      ...nested('', tableAt(reading.table, 'dependencies')),
    ],
  };
}

const DIR = 'node_modules/';

/** The root and the workspaces are the tree itself; they stand there by their directories. */
function installed(path: string, entry: Table, aliases: ReadonlySet<string>): readonly LockedPackage[] {
  const at = path.lastIndexOf(DIR);
  if (at < 0) return [];
  const name = path.slice(at + DIR.length);
  const own = textAt(entry, 'name') ?? name;
  return [
    locked({
      id: path,
      name,
      version: textOf(entry.get('version')),
      source: entry.get('link') === true ? linked(textOf(entry.get('resolved'))) : sourceOf(entry, own),
      hashes: hashesOf(entry),
      runsScript: entry.get('hasInstallScript') === true,
      needs: npmNeeds(entry),
      isReally: own === name || aliases.has(`${name} ${own}`) ? null : own,
    }),
  ];
}

/** Version 1: packages inside of packages. The version tells the source of what is from no registry. */
function nested(above: string, dependencies: Table): readonly LockedPackage[] {
  return [...dependencies].flatMap(([name, entry]) => {
    if (!isTable(entry)) return [];
    const id = `${above}/${name}`;
    const version = textOf(entry.get('version'));
    const spec = npmSource(version, '');
    const own = spec.kind === 'alias' ? spec.of : name;
    const source: LockedSource =
      spec.kind === 'registry' || spec.kind === 'alias'
        ? sourceOf(entry, own)
        : spec.kind === 'tree'
          ? { kind: 'tree' }
          : spec;
    const needs = [...tableAt(entry, 'requires').keys()];
    return [
      locked({ id, name, version, source, hashes: hashesOf(entry), needs }),
      ...nested(id, tableAt(entry, 'dependencies')),
    ];
  });
}

function sourceOf(entry: Table, name: string): LockedSource {
  const address = textAt(entry, 'resolved');
  if (address === null) return { kind: 'registry', origins: [] };
  const source = npmSource(address, '');
  if (source.kind === 'url') return registryArchive(address, name) ?? source;
  if (source.kind === 'tree') return { kind: 'tree' };
  return source.kind === 'registry' || source.kind === 'alias' ? { kind: 'other', at: address } : source;
}

function linked(target: string): LockedSource {
  const source = dirSource(target, '');
  return source.kind === 'path' ? source : { kind: 'tree' };
}

function hashesOf(entry: Table): readonly string[] {
  return textOf(entry.get('integrity'))
    .split(/\s+/)
    .filter((hash) => hash !== '');
}

/** `name other` for every dependency that asks for another package under that name. */
function aliasesIn(packages: Table): ReadonlySet<string> {
  const lists = ['dependencies', 'devDependencies', 'optionalDependencies', 'peerDependencies'];
  return new Set(
    [...packages.values()].filter(isTable).flatMap((entry) =>
      lists.flatMap((list) =>
        [...tableAt(entry, list)].flatMap(([name, spec]) => {
          const source = npmSource(textOf(spec), '');
          return source.kind === 'alias' ? [`${name} ${source.of}`] : [];
        }),
      ),
    ),
  );
}
