import { randomBytes } from 'node:crypto';
import { chmodSync, type Dirent, mkdirSync } from 'node:fs';
import { readdir, rmdir, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeatrialError, systemCode } from '../kernel/errors.ts';
import { runTool } from './processes/spawn.ts';

/** Short, because socket paths below it may have 108 bytes. Known before it is there, so that somebody can clean up after a crash. */
export function nameScratch(parent = tmpdir()): string {
  return join(parent, `seatrial-${randomBytes(4).toString('hex')}`);
}

/**
 * A folder for everything that is written during a run, outside every bundle. When root will drop to another user, that user must
 * be able to pass through it, though not to list it.
 */
export function makeScratch(scratch = nameScratch()): string {
  mkdirSync(scratch, { mode: 0o700 });
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
  return scratch;
}

/** Removes it whatever a command left there: folders deeper than any path can name, or closed even to their owner. */
export async function removeScratch(scratch: string): Promise<void> {
  try {
    await removeTree(Buffer.from(scratch));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return;
    await runTool('chmod', ['-R', 'u+rwx', '--', scratch], { timeoutMs: 120_000 });
    const removed = await runTool('rm', ['-rf', '--', scratch], { timeoutMs: 120_000 });
    if (removed.exitCode !== 0) {
      throw new SeatrialError(
        'evidence',
        `the scratch folder ${scratch} could not be removed: ${removed.stderr.trim()}`,
      );
    }
  }
}

/** Many at once, in threads: whoever waits for it can do something else. */
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
