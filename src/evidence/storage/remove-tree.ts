import { randomBytes } from 'node:crypto';
import type { Dirent } from 'node:fs';
import { chmod, lstat, readdir, rename, rmdir, unlink } from 'node:fs/promises';
import { systemCode } from '../../kernel/errors.ts';

const AT_ONCE = 64;
/** A process that is about to end may add a file after its directory was listed. */
const TRIES = 5;
const SLASH = Buffer.from('/');
/** Below the 4096 bytes of a path, with room for the longest name. */
const MAX_PATH_BYTES = 3800;

/**
 * Removes whatever programs have left there: directories without permissions for their owner, names that are not UTF-8, nesting
 * deeper than the longest path. Follows no link. Nothing there is no error, nor is what others remove or add meanwhile.
 */
export async function removeTree(path: string): Promise<void> {
  const root = Buffer.from(path);
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    try {
      await unlessGone(async () => ((await lstat(root)).isDirectory() ? removeDir(root, root) : unlink(root)));
      return;
    } catch (error) {
      if (systemCode(error) !== 'ENOTEMPTY' || triesLeft === 1) throw error;
    }
  }
}

async function unlessGone(remove: () => Promise<void>): Promise<void> {
  try {
    await remove();
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** Asynchronous and parallel, so that the caller is not blocked. */
async function removeDir(dir: Buffer, root: Buffer): Promise<void> {
  const entries = await listEntries(dir);
  for (let at = 0; at < entries.length; at += AT_ONCE) {
    await Promise.all(entries.slice(at, at + AT_ONCE).map((entry) => unlessGone(() => removeEntry(entry, dir, root))));
  }
  await rmdir(dir);
}

async function removeEntry(entry: Dirent<Buffer>, dir: Buffer, root: Buffer): Promise<void> {
  const path = Buffer.concat([dir, SLASH, entry.name]);
  if (!entry.isDirectory()) return unlink(path);
  if (path.length < MAX_PATH_BYTES) return removeDir(path, root);
  const near = Buffer.concat([root, SLASH, Buffer.from(randomBytes(8).toString('hex'))]);
  await chmod(path, 0o700); // A directory that its owner cannot write cannot be moved elsewhere.
  await rename(path, near);
  return removeDir(near, root);
}

/** Opens the directory for its owner first, where it is closed: its entries cannot be removed otherwise. */
async function listEntries(dir: Buffer): Promise<Dirent<Buffer>[]> {
  const { mode } = await lstat(dir);
  if ((mode & 0o700) !== 0o700) await chmod(dir, 0o700);
  return readdir(dir, { withFileTypes: true, encoding: 'buffer' });
}
