import { npmSource } from '../dependencies/source.ts';
import { isTable, type Table, textAt, textOf } from '../value.ts';
import {
  locked,
  type LockedPackage,
  type LockedSource,
  type LockReading,
  npmNeeds,
  registryArchive,
} from './locked.ts';
import { readClassicYarn } from './yarn-classic.ts';
import { parseYamlTable } from './yaml.ts';

/** yarn.lock of the first version, which has a format of its own, and of later ones, which are YAML. */
export function readYarnLock(text: string): LockReading {
  const isClassic = !/^__metadata:/m.test(text);
  const reading = isClassic ? readClassicYarn(text) : parseYamlTable(text);
  if ('fault' in reading) return reading;
  return {
    packages: [...reading.table].flatMap(([key, entry]) =>
      isTable(entry) && key !== '__metadata' ? [packageOf(key, entry, isClassic ? classicSource : berrySource)] : [],
    ),
  };
}

interface Named {
  readonly name: string;
  readonly spec: string;
}

/** The key lists what is asked for: `name@range, name@other-range`. */
function packageOf(key: string, entry: Table, sourceOf: (entry: Table, asked: Named) => Found): LockedPackage {
  const asked = split(key.split(/,\s*/)[0] ?? key);
  const version = textOf(entry.get('version'));
  const { source, isReally } = sourceOf(entry, asked);
  const needs = npmNeeds(entry);
  const hash = textAt(entry, 'integrity') ?? textAt(entry, 'checksum');
  return locked({ id: key, name: asked.name, version, source, hashes: hash === null ? [] : [hash], needs, isReally });
}

interface Found {
  readonly source: LockedSource;
  readonly isReally: string | null;
}

function classicSource(entry: Table, asked: Named): Found {
  const spec = npmSource(asked.spec, '');
  const name = spec.kind === 'alias' ? spec.of : asked.name;
  const address = textAt(entry, 'resolved');
  if (address === null) {
    const isOwn = spec.kind === 'registry' || spec.kind === 'alias';
    return { source: isOwn ? { kind: 'registry', origins: [] } : plain(asked.spec), isReally: null };
  }
  return { source: registryArchive(address, name) ?? plain(address), isReally: null };
}

const BUILTIN_PATCH = /^patch:(\w+)@npm%3A[\w.-]+#(?:optional!|~)*builtin<compat\/\1>(?:::[\w=.&-]*)?$/;

/** `name@npm:1.0.0`, with an address behind it where the registry is not the usual one. */
function berrySource(entry: Table, asked: Named): Found {
  const { name, spec } = split(textOf(entry.get('resolution')));
  const wanted = split(asked.spec.replace(/^npm:/, '')).name;
  const isReally = name === asked.name || wanted === name ? null : name;
  if (spec.startsWith('workspace:')) return { source: { kind: 'tree' }, isReally };
  // Patches that yarn itself brings, for packages that do not work with it otherwise.
  if (BUILTIN_PATCH.exec(spec)?.[1] === name) {
    return { source: { kind: 'registry', origins: [] }, isReally };
  }
  if (!spec.startsWith('npm:')) return { source: plain(spec), isReally };
  const archive = /::__archiveUrl=([^&]+)/.exec(spec)?.[1];
  if (archive === undefined) return { source: { kind: 'registry', origins: [] }, isReally };
  const address = decodeURIComponent(archive);
  return { source: registryArchive(address, name) ?? { kind: 'url', at: address }, isReally };
}

function plain(address: string): LockedSource {
  const source = npmSource(address, '');
  switch (source.kind) {
    case 'registry':
    case 'alias':
      return { kind: 'other', at: address };
    case 'tree':
      return { kind: 'tree' };
    default:
      return source;
  }
}

function split(text: string): Named {
  const at = text.indexOf('@', 1);
  return at < 0 ? { name: text, spec: '' } : { name: text.slice(0, at), spec: text.slice(at + 1) };
}
