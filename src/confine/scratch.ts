import { randomBytes } from 'node:crypto';
import { chmodSync, type Dirent, mkdirSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeatrialError, systemCode } from '../kernel/errors.ts';
import { runTool } from './processes/spawn.ts';

/** Short, because socket paths below it are limited to 108 bytes. Chosen before it is created, so that it can be cleaned up after a crash. */
export function nameScratch(parent = tmpdir()): string {
  return join(parent, `seatrial-${randomBytes(4).toString('hex')}`);
}

/**
 * A directory for all temporary files of a run, outside every bundle. When root drops to another user, that user must
 * be able to traverse it, but not to list it.
 */
export function makeScratch(scratch = nameScratch()): string {
  mkdirSync(scratch, { mode: 0o700 });
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
  return scratch;
}

/** Removes it with anything a command left there: directories nested beyond the longest path, or without owner permissions. */
export async function removeScratch(scratch: string): Promise<void> {
  try {
    await removeTree(Buffer.from(scratch));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    await runTool('chmod', ['-R', 'u+rwx', '--', scratch], { timeoutMs: 120_000 });
    const removed = await runTool('rm', ['-rf', '--', scratch], { timeoutMs: 120_000 });
    if (removed.exitCode !== 0) {
      throw new SeatrialError('evidence', `cannot remove the scratch directory ${scratch}: ${removed.stderr.trim()}`);
    }
  }
}

/** Asynchronous and parallel, so that the caller is not blocked. */
async function removeTree(dir: Buffer): Promise<void> {
  const entries = await readdir(dir, { withFileTypes: true, encoding: 'buffer' });
  for (let at = 0; at < entries.length; at += AT_ONCE) await Promise.all(entries.slice(at, at + AT_ONCE).map(remove));
  await rmdir(dir);

  async function remove(entry: Dirent<Buffer>): Promise<void> {
    const path = Buffer.concat([dir, SLASH, entry.name]);
    await (entry.isDirectory() ? removeTree(path) : unlink(path));
  }
}

const AT_ONCE = 64;
const SLASH = Buffer.from('/');
