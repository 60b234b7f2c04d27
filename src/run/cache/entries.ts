import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../kernel/errors.ts';
import { isInUse, lastUseMs } from './uses.ts';

/** `setup`: what a setup command made. `tree`: the files of a commit. `record`: how tests stood on a base. `program`: what is known about programs of this machine. */
export type CacheKind = 'setup' | 'tree' | 'record' | 'program';

export interface CacheEntry {
  readonly kind: CacheKind;
  /** Short enough to read, long enough to tell entries apart. */
  readonly name: string;
  readonly path: string;
  readonly bytes: number;
  readonly usedMs: number;
  readonly inUse: boolean;
}

/** Kinds whose entries are directories, and where these lie. */
const DIRECTORIES = { setup: 'provision', tree: 'trees' } as const;
type DirectoryKind = keyof typeof DIRECTORIES;

export const isDirectoryKind = (kind: CacheKind): kind is DirectoryKind => kind in DIRECTORIES;

export const entriesDir = (cacheDir: string, kind: DirectoryKind): string => join(cacheDir, DIRECTORIES[kind]);

const KEY = /^[0-9a-f]{64}$/;

/** Everything that the cache holds, without what writers have not finished. */
export function listCache(cacheDir: string): readonly CacheEntry[] {
  return [
    ...directoryEntries(cacheDir, 'setup'),
    ...directoryEntries(cacheDir, 'tree'),
    ...namesIn(join(cacheDir, 'base'))
      .filter((name) => name.endsWith('.json'))
      .map((name) => fileEntry('record', join(cacheDir, 'base'), name)),
    ...namesIn(cacheDir)
      .filter((name) => /^(?:tool|program)-[0-9a-f]{32}\.json$/.test(name))
      .map((name) => fileEntry('program', cacheDir, name)),
  ];
}

function directoryEntries(cacheDir: string, kind: DirectoryKind): readonly CacheEntry[] {
  const dir = entriesDir(cacheDir, kind);
  return namesIn(dir)
    .filter((name) => KEY.test(name))
    .map((key) => directoryEntry(kind, dir, key));
}

function directoryEntry(kind: DirectoryKind, dir: string, key: string): CacheEntry {
  const path = join(dir, key);
  const { mtimeMs } = lstatSync(path);
  return {
    kind,
    name: key.slice(0, 12),
    path,
    bytes: bytesBelow(Buffer.from(path)),
    usedMs: lastUseMs(dir, key) ?? mtimeMs,
    inUse: isInUse(dir, key),
  };
}

function fileEntry(kind: CacheKind, dir: string, name: string): CacheEntry {
  const { size, mtimeMs } = lstatSync(join(dir, name));
  return { kind, name: name.slice(0, 12), path: join(dir, name), bytes: size, usedMs: mtimeMs, inUse: false };
}

/** On disk, and nothing through links. */
function bytesBelow(path: Buffer): number {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) return stat.blocks * 512;
  const names = readdirSync(path, { encoding: 'buffer' });
  return names.reduce((sum, name) => sum + bytesBelow(Buffer.concat([path, Buffer.from('/'), name])), 0);
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
