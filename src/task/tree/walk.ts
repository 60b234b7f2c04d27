import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  opendirSync,
  openSync,
  readSync,
  readdirSync,
  readlinkSync,
  type Stats,
} from 'node:fs';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { systemCode } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { resolveLink, type TreeLink } from './links.ts';
import { areOneFile } from './same-file.ts';
import { type TreeBelow, Unchanged } from './below-changes.ts';

/** One entry of a tree, as the harness itself read it. `path` is relative, in bytes, separated by `/`. */
export type TreeEntry =
  | {
      readonly kind: 'file';
      readonly path: Buffer;
      readonly executable: boolean;
      readonly sha256: string;
      readonly bytes: number;
      readonly ctimeMs: number;
    }
  | { readonly kind: 'link'; readonly path: Buffer; readonly target: Buffer; readonly ctimeMs: number }
  | { readonly kind: 'dir'; readonly path: Buffer; readonly ctimeMs: number };

export interface Tree {
  /** Keyed by path as latin1, in byte order. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** Forbidden entries: devices, pipes, sockets, nested repositories, links out of the tree, unreadable entries. */
  readonly faults: readonly TreeFault[];
}

export interface TreeFault {
  /** Empty: the fault concerns the whole tree. */
  readonly path: Buffer;
  readonly reason: Reason<'blocked'>;
}

export interface WalkOptions {
  /** The tree's path as programs in the sandbox see it; absolute links below it count as internal. */
  readonly seenAs?: string;
  /** Skip the repository at the root, which the engine may use freely. */
  readonly skipTopGit?: boolean;
  /** The tree holds installed packages, in which nested repositories and links out are allowed. */
  readonly installed?: boolean;
  /** Limit of bytes read in total, holes included: a sparse terabyte takes hours to read. */
  readonly maxBytes?: number;
  /** Limit of entries, which bounds memory. */
  readonly maxEntries?: number;
  /** A tree that was walked, in which files are never written into: those of this tree that are hard links to its files are not read again. */
  readonly sharing?: WalkedTree;
  /** The tree is an overlay over another one: what was not changed is not read again. */
  readonly over?: TreeBelow<TreeEntry>;
}

/** A tree, and where it lies. */
export interface WalkedTree {
  readonly dir: string;
  readonly tree: Tree;
}

/** Reads a whole tree: type, mode, digest and change time of every entry. Follows no links, runs nothing. */
export function walkTree(root: string, options: WalkOptions = {}): Tree {
  const entries = new Map<string, TreeEntry>();
  const faults: TreeFault[] = [];
  const { maxBytes = Infinity, maxEntries = Infinity } = options;
  let bytesSeen = 0;
  let namesLeft = maxEntries;
  const base = Buffer.from(`${root}/`);
  const buffer = chunkBuffer();
  const unchanged = options.over === undefined ? null : new Unchanged(options.over);

  const visitDirectory = (relative: Buffer): void => {
    const absolute = relative.length === 0 ? base : Buffer.concat([base, relative]);
    const names = namesIn(absolute, namesLeft);
    namesLeft -= names.length;
    const changed = unchanged?.changedIn(relative) ?? null;
    for (const name of names.sort(Buffer.compare)) {
      if (namesLeft < 0) return;
      const path = relative.length === 0 ? name : Buffer.concat([relative, Buffer.from('/'), name]);
      if (name.equals(DOT_GIT) && options.installed !== true) {
        faults.push(...repositoryFault(path, options));
        continue;
      }
      if (changed?.has(name.toString('latin1')) === false && takeUnchanged(path)) continue;
      attempt(path, () => visit(path));
    }
  };

  /** False: it is not of the tree below. */
  const takeUnchanged = (path: Buffer): boolean => {
    let taken = 0;
    unchanged?.visitAt(path.toString('latin1'), (key, entry) => {
      taken += 1;
      if (entry.kind === 'file') bytesSeen += entry.bytes;
      if (entry.kind !== 'file' || bytesSeen <= maxBytes) entries.set(key, entry);
    });
    namesLeft -= Math.max(taken - 1, 0);
    return taken > 0;
  };

  const attempt = (path: Buffer, work: () => void): void => {
    try {
      work();
    } catch (error) {
      faults.push(unreadableEntry(path, error));
    }
  };

  const visit = (path: Buffer): void => {
    const absolute = Buffer.concat([base, path]);
    const stats = lstatSync(absolute);
    const key = path.toString('latin1');
    if (stats.isDirectory()) {
      entries.set(key, { kind: 'dir', path, ctimeMs: stats.ctimeMs });
      visitDirectory(path);
      return;
    }
    if (stats.isFile()) bytesSeen += stats.size;
    if (bytesSeen > maxBytes && stats.isFile()) return;
    const found = readLeaf(path, stats, absolute, () => digestOfShared(options.sharing, key, absolute), buffer);
    if ('reason' in found) faults.push(found);
    else entries.set(key, found);
  };

  attempt(Buffer.alloc(0), () => visitDirectory(Buffer.alloc(0)));
  const whole = Buffer.alloc(0);
  if (bytesSeen > maxBytes) faults.unshift({ path: whole, reason: reason('tree_too_large', { n: maxBytes }) });
  if (namesLeft < 0) faults.unshift({ path: whole, reason: reason('too_many_files', { n: maxEntries }) });
  const links = options.installed === true ? [] : [...entries.values()].filter((entry) => entry.kind === 'link');
  return { entries, faults: [...faults, ...linksOut(links, entries, options.seenAs)] };
}

/** A fault for each of the links that leads out of its tree. */
export function linksOut(
  links: Iterable<TreeLink>,
  entries: Tree['entries'],
  seenAs: string | undefined,
): readonly TreeFault[] {
  return [...links]
    .filter((link) => resolveLink(link, entries, seenAs) === null)
    .map(({ path, target }) => ({
      path,
      reason: reason('link_out', { path: pathText(path), target: pathText(target) }),
    }));
}

/** Reads a path that is no directory. `known`: the digest of a file that need not be read. */
export function readLeaf(
  path: Buffer,
  stats: Stats,
  absolute: Buffer,
  known: () => FileDigest | null,
  buffer: Buffer,
): Exclude<TreeEntry, { kind: 'dir' }> | TreeFault {
  const { ctimeMs } = stats;
  if (stats.isSymbolicLink())
    return { kind: 'link', path, target: readlinkSync(absolute, { encoding: 'buffer' }), ctimeMs };
  if (!stats.isFile()) return { path, reason: reason(specialKind(stats), { path: pathText(path) }) };
  const executable = (stats.mode & 0o100) !== 0;
  return { kind: 'file', path, executable, ctimeMs, ...(known() ?? digest(absolute, buffer)) };
}

export function unreadableEntry(path: Buffer, error: unknown): TreeFault {
  const name = path.length === 0 ? '.' : pathText(path);
  return { path, reason: reason('unreadable_entry', { error: systemCode(error) ?? 'error', path: name }) };
}

/** A repository in a tree: a fault, unless it is the tree's own and that is allowed. */
export function repositoryFault(path: Buffer, { skipTopGit }: WalkOptions): readonly TreeFault[] {
  const isTop = path.equals(DOT_GIT);
  if (isTop && skipTopGit === true) return [];
  return [{ path, reason: reason(isTop ? 'own_repository' : 'nested_repository', { path: pathText(path) }) }];
}

/** Returns at most `wanted` names and one more: the list of a huge directory may not fit in memory. */
export function namesIn(dir: Buffer, wanted: number): Buffer[] {
  if (wanted === Infinity) return readdirSync(dir, { encoding: 'buffer' });
  const names: Buffer[] = [];
  const listing = opendirSync(dir, { encoding: 'latin1' });
  try {
    for (let entry = listing.readSync(); entry !== null && names.length <= wanted; entry = listing.readSync())
      names.push(Buffer.from(entry.name, 'latin1'));
  } finally {
    listing.closeSync();
  }
  return names;
}

/** The parent directories of a path, outermost first. */
export function dirsAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_part, depth) => parts.slice(0, depth + 1).join('/'));
}

export const DOT_GIT = Buffer.from('.git');

function specialKind(stats: Stats): 'pipe_in_tree' | 'socket_in_tree' | 'device_in_tree' {
  if (stats.isFIFO()) return 'pipe_in_tree';
  if (stats.isSocket()) return 'socket_in_tree';
  return 'device_in_tree';
}

interface FileDigest {
  readonly sha256: string;
  readonly bytes: number;
}

/** Null: it is a file of its own. */
function digestOfShared(sharing: WalkedTree | undefined, key: string, absolute: Buffer): FileDigest | null {
  const entry = sharing?.tree.entries.get(key);
  if (sharing === undefined || entry?.kind !== 'file') return null;
  if (!areOneFile(absolute, Buffer.from(`${sharing.dir}/${key}`, 'latin1'))) return null;
  return { sha256: entry.sha256, bytes: entry.bytes };
}

function digest(absolute: Buffer, buffer: Buffer): FileDigest {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of chunksOfFile(absolute, buffer)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * Large enough for most files in one chunk. The buffer is reused for many files. No larger: V8 collects the whole heap whenever buffers of
 * 32 MiB were made since the last time, and a run makes dozens of them.
 */
export const chunkBuffer = (): Buffer => Buffer.allocUnsafe(64 * 1024);

/** A file's bytes in chunks, which reuse one buffer. */
export function* chunksOfFile(absolute: Buffer, buffer: Buffer = chunkBuffer()): Generator<Buffer> {
  // Non-blocking and no-follow: the file may have been replaced by a pipe or a link in the meantime.
  const fd = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new Error('changed while it was read');
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}
