import { dirSource } from '../dependencies/source.ts';
import { parseTomlTable } from '../formats/toml.ts';
import { requirementName } from '../rules/python-names.ts';
import { packageName } from '../test-tools.ts';
import { isTable, type Table, tableAt, tablesOf, textAt, textOf } from '../value.ts';
import { locked, type LockedPackage, type LockedSource, type LockReading, numbered, originOf } from './locked.ts';

export const readUvLock = (text: string): LockReading => readPackages(text, uvPackage);
export const readPoetryLock = (text: string): LockReading => readPackages(text, poetryPackage);

function readPackages(text: string, read: (entry: Table) => LockedPackage): LockReading {
  const reading = parseTomlTable(text);
  return 'fault' in reading ? reading : { packages: numbered(tablesOf(reading.table.get('package')).map(read)) };
}

function uvPackage(entry: Table): LockedPackage {
  const name = packageName('python', textOf(entry.get('name')));
  const files = [entry.get('sdist'), ...tablesOf(entry.get('wheels'))].filter((one) => isTable(one));
  const lists = [
    entry.get('dependencies'),
    ...tableAt(entry, 'optional-dependencies').values(),
    ...tableAt(entry, 'dev-dependencies').values(),
  ];
  const version = textOf(entry.get('version'));
  return locked({
    id: `${name}@${version}`,
    name,
    version,
    source: uvSource(tableAt(entry, 'source'), files),
    hashes: files.map((file) => textOf(file.get('hash'))).filter((hash) => hash !== ''),
    needs: lists.flatMap(tablesOf).map((one) => packageName('python', textOf(one.get('name')))),
    isReally: otherProject(
      name,
      files.map((file) => textAt(file, 'url') ?? textOf(file.get('path'))),
    ),
  });
}

function uvSource(source: Table, files: readonly Table[]): LockedSource {
  const registry = textAt(source, 'registry');
  if (registry !== null) {
    const addresses = [registry, ...files.map((file) => textOf(file.get('url')))].filter((one) => one !== '');
    return { kind: 'registry', origins: [...new Set(addresses.map(originOf))] };
  }
  for (const key of ['editable', 'virtual', 'directory', 'path']) {
    const path = textAt(source, key);
    if (path !== null) return fromDir(path);
  }
  for (const kind of ['git', 'url'] as const) {
    const at = textAt(source, kind);
    if (at !== null) return { kind, at };
  }
  return { kind: 'other', at: [...source.keys()].join(' ') };
}

function poetryPackage(entry: Table): LockedPackage {
  const name = packageName('python', textOf(entry.get('name')));
  const files = tablesOf(entry.get('files'));
  const version = textOf(entry.get('version'));
  return locked({
    id: `${name}@${version}`,
    name,
    version,
    source: poetrySource(tableAt(entry, 'source')),
    hashes: files.map((file) => textOf(file.get('hash'))).filter((hash) => hash !== ''),
    needs: [...tableAt(entry, 'dependencies').keys()].map((one) => packageName('python', one)),
    isReally: otherProject(
      name,
      files.map((file) => textOf(file.get('file'))),
    ),
  });
}

function poetrySource(source: Table): LockedSource {
  const at = textOf(source.get('url'));
  switch (textAt(source, 'type')) {
    case null:
      return { kind: 'registry', origins: [] };
    case 'legacy':
      return { kind: 'registry', origins: [originOf(at)] };
    case 'directory':
    case 'file':
      return fromDir(at);
    case 'git':
      return { kind: 'git', at };
    case 'url':
      return { kind: 'url', at };
    default:
      return { kind: 'other', at };
  }
}

function fromDir(path: string): LockedSource {
  const source = dirSource(path, '');
  return source.kind === 'path' ? source : { kind: 'tree' };
}

/** The project that a file belongs to stands at its beginning: `requests-2.31.0-py3-none-any.whl`. */
function otherProject(name: string, files: readonly string[]): string | null {
  const plain = (text: string): string => packageName('python', text).replaceAll('-', '');
  const other = files
    .map((file) => /([^/#?]+)(?:[#?].*)?$/.exec(file)?.[1] ?? '')
    .find((file) => file !== '' && !plain(file).startsWith(plain(name)));
  return other === undefined ? null : (requirementName(other.replace(/-\d.*$/, '')) ?? other);
}
