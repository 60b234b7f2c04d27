import {
  closeSync,
  fsync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { systemCode } from '../../kernel/errors.ts';
import { openNoFollow } from './no-follow.ts';
import { writeFully } from './write-fully.ts';

/**
 * `mkdir -p` that reports the real cause of a failure. Node's own reports a read-only file system as a missing
 * directory, and never returns for directories that refuse new entries, such as /proc.
 */
export function makeDirs(path: string, mode = 0o777): void {
  try {
    makeDir(path, mode);
  } catch (error) {
    const parent = dirname(path);
    if (systemCode(error) !== 'ENOENT' || parent === path) throw error;
    // It may be there by now: another process may be making the same directories.
    makeDirs(parent, mode);
    makeDir(path, mode);
  }
}

function makeDir(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (systemCode(error) !== 'EEXIST' || !statSync(path).isDirectory()) throw error;
  }
}

/** Where a file's new content is written first: several processes may replace the same file at the same time. */
const pendingPath = (path: string): string => `${path}.${process.pid}.tmp`;

/** Atomic: the path holds the complete new content or the old, even if the disk fills up or the process is killed. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const pending = pendingPath(path);
  try {
    const fd = openNoFollow(pending, 'w');
    try {
      writeFully(fd, typeof content === 'string' ? Buffer.from(content) : content);
    } finally {
      closeSync(fd);
    }
    renameSync(pending, path);
  } catch (error) {
    rmSync(pending, { force: true });
    throw error;
  }
}

/** Creates the file with its whole content, fsynced; atomic and exclusive, unlike create-then-write. False: it exists already. */
export function linkNew(path: string, content: string): boolean {
  const draft = `${path.replace(/\.json$/, '')}.draft-${process.pid}`;
  writeSynced(draft, Buffer.from(content));
  try {
    linkSync(draft, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Fsynced on return. Not atomic: use `replaceFile` for that. */
export function writeSynced(path: string, bytes: Buffer, flags: 'w' | 'wx' = 'w', mode = 0o644): void {
  const fd = openNoFollow(path, flags, mode);
  try {
    writeFully(fd, bytes);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Makes directory changes (new files, renames) survive a power failure. */
export function syncDir(path: string | Buffer): void {
  const fd = openSync(path, 'r');
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

const SYNCED_AT_ONCE = 64;

/**
 * Fsyncs everything below a directory, many files at once, so that the disk flushes a few times rather than once per
 * file.
 */
export async function syncBelow(dir: string): Promise<void> {
  const paths = pathsBelow(Buffer.from(dir));
  for (let at = 0; at < paths.length; at += SYNCED_AT_ONCE)
    await Promise.all(paths.slice(at, at + SYNCED_AT_ONCE).map(syncOne));
}

function pathsBelow(dir: Buffer): Buffer[] {
  return readdirSync(dir, { withFileTypes: true, encoding: 'buffer' }).flatMap((entry) => {
    const path = Buffer.concat([dir, Buffer.from('/'), entry.name]);
    return entry.isDirectory() ? [...pathsBelow(path), path] : [path];
  });
}

async function syncOne(path: Buffer): Promise<void> {
  const fd = openSync(path, 'r');
  try {
    await new Promise<void>((resolve, reject) => fsync(fd, (error) => (error === null ? resolve() : reject(error))));
  } finally {
    closeSync(fd);
  }
}

/** Readers see the old content or the new, never a mix, even after a power failure. */
export function replaceFile(path: string, bytes: Buffer): void {
  const pending = pendingPath(path);
  try {
    writeSynced(pending, bytes);
    renameSync(pending, path);
  } catch (error) {
    rmSync(pending, { force: true });
    throw error;
  }
  syncDir(dirname(path));
}
