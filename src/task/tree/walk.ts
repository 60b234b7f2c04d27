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
import { systemCode } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { resolveLink } from './links.ts';

/** One thing in a tree, as the harness saw it with its own eyes. `path` is relative, in bytes, `/` between parts. */
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
  /** Keyed by the path's bytes (as latin1), in the order of those bytes. */
  readonly entries: ReadonlyMap<string, TreeEntry>;
  /** What must not be there: devices, pipes, sockets, nested repositories, links out, unreadable things. */
  readonly faults: readonly TreeFault[];
}

export interface TreeFault {
  /** Empty: it is about the tree as a whole. */
  readonly path: Buffer;
  /** A sentence. */
  readonly text: string;
}

export interface WalkOptions {
  /** Where the tree stands for the programs that live in it; absolute links below it count as links inside. */
  readonly seenAs?: string;
  /** The repository at the top, which belongs to whoever works in the tree. */
  readonly skipTopGit?: boolean;
  /** What programs installed, not anybody's work: repositories and links out are part of it. */
  readonly installed?: boolean;
  /** Files are not read beyond this many bytes in all, holes included: a terabyte of nothing takes hours to read. */
  readonly maxBytes?: number;
  /** Names are not looked at beyond this many: a flood of files is not worth the memory. */
  readonly maxEntries?: number;
}

/** Reads a whole tree: type, mode, digest and change time of everything in it. Follows nothing, runs nothing. */
export function walkTree(root: string, options: WalkOptions = {}): Tree {
  const entries = new Map<string, TreeEntry>();
  const faults: TreeFault[] = [];
  const { maxBytes = Infinity, maxEntries = Infinity } = options;
  let bytesSeen = 0;
  let namesLeft = maxEntries;
  const base = Buffer.from(`${root}/`);
  const buffer = chunkBuffer();

  const visitDirectory = (relative: Buffer): void => {
    const absolute = relative.length === 0 ? base : Buffer.concat([base, relative]);
    const names = namesIn(absolute, namesLeft);
    namesLeft -= names.length;
    for (const name of names.sort(Buffer.compare)) {
      if (namesLeft < 0) return;
      const path = relative.length === 0 ? name : Buffer.concat([relative, Buffer.from('/'), name]);
      if (name.equals(DOT_GIT) && options.installed !== true) {
        if (relative.length > 0) faults.push({ path, text: `nested repository: ${pathText(path)}` });
        else if (options.skipTopGit !== true)
          faults.push({ path, text: `a git repository of its own: ${pathText(path)}` });
        continue;
      }
      attempt(path, () => visit(path));
    }
  };

  const attempt = (path: Buffer, work: () => void): void => {
    try {
      work();
    } catch (error) {
      const name = path.length === 0 ? '.' : pathText(path);
      faults.push({ path, text: `unreadable (${systemCode(error) ?? 'error'}): ${name}` });
    }
  };

  const visit = (path: Buffer): void => {
    const absolute = Buffer.concat([base, path]);
    const stats = lstatSync(absolute);
    const ctimeMs = stats.ctimeMs;
    const key = path.toString('latin1');
    if (stats.isDirectory()) {
      entries.set(key, { kind: 'dir', path, ctimeMs });
      visitDirectory(path);
    } else if (stats.isSymbolicLink()) {
      entries.set(key, { kind: 'link', path, target: readlinkSync(absolute, { encoding: 'buffer' }), ctimeMs });
    } else if (stats.isFile()) {
      bytesSeen += stats.size;
      if (bytesSeen > maxBytes) return;
      entries.set(key, {
        kind: 'file',
        path,
        executable: (stats.mode & 0o100) !== 0,
        ctimeMs,
        ...digest(absolute, buffer),
      });
    } else {
      faults.push({ path, text: `${specialKind(stats)}: ${pathText(path)}` });
    }
  };

  attempt(Buffer.alloc(0), () => visitDirectory(Buffer.alloc(0)));
  if (bytesSeen > maxBytes) faults.unshift({ path: Buffer.alloc(0), text: `more than ${maxBytes} bytes in the tree` });
  if (namesLeft < 0) faults.unshift({ path: Buffer.alloc(0), text: `too many files: more than ${maxEntries}` });
  for (const entry of entries.values()) {
    if (options.installed !== true && entry.kind === 'link' && resolveLink(entry, entries, options.seenAs) === null) {
      const text = `link out of the tree: ${pathText(entry.path)} -> ${pathText(entry.target)}`;
      faults.push({ path: entry.path, text });
    }
  }
  return { entries, faults };
}

/** As many as wanted and one more, if there are: a folder may hold more names than there is memory for. */
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

/** As a walk would have found them. */
export function inByteOrder(entries: Iterable<readonly [string, TreeEntry]>): Map<string, TreeEntry> {
  const bytes = (key: string): Buffer => Buffer.from(key, 'latin1');
  return new Map([...entries].toSorted(([a], [b]) => Buffer.compare(bytes(a), bytes(b))));
}

/** The folders above a path, the topmost first. */
export function dirsAbove(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_part, depth) => parts.slice(0, depth + 1).join('/'));
}

const DOT_GIT = Buffer.from('.git');

function specialKind(stats: Stats): string {
  if (stats.isFIFO()) return 'pipe';
  if (stats.isSocket()) return 'socket';
  return 'device';
}

function digest(absolute: Buffer, buffer: Buffer): { sha256: string; bytes: number } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const chunk of chunksOfFile(absolute, buffer)) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/** Large enough that most files come in one piece. Many files are read through one. */
export const chunkBuffer = (): Buffer => Buffer.allocUnsafe(1 << 20);

/** A file's bytes, piece by piece, in one buffer again and again. */
export function* chunksOfFile(absolute: Buffer, buffer: Buffer = chunkBuffer()): Generator<Buffer> {
  // Non-blocking and no-follow: what was a file a moment ago may be something else by now.
  const fd = openSync(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!fstatSync(fd).isFile()) throw new Error('changed while it was read');
    for (let read = readSync(fd, buffer); read > 0; read = readSync(fd, buffer)) yield buffer.subarray(0, read);
  } finally {
    closeSync(fd);
  }
}
