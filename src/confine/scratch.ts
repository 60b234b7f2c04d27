import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeatrialError } from '../kernel/errors.ts';
import { runTool } from './spawn.ts';

/** Where a scratch folder is made, and who is told its name before it is there. */
export interface ScratchPlace {
  readonly parent?: string;
  readonly announce?: (path: string) => void;
}

/**
 * A folder for everything that is written during a run, outside every bundle. Short, because socket paths below it may
 * have 108 bytes; when root will drop to another user, that user must be able to pass through it, though not to list
 * it.
 */
export function makeScratch({ parent = tmpdir(), announce }: ScratchPlace = {}): string {
  const scratch = join(parent, `seatrial-${randomBytes(4).toString('hex')}`);
  announce?.(scratch);
  mkdirSync(scratch, { mode: 0o700 });
  if (process.getuid?.() === 0) chmodSync(scratch, 0o711);
  return scratch;
}

/** Removes it whatever a command left there: folders deeper than any path can name, or closed even to their owner. */
export async function removeScratch(scratch: string): Promise<void> {
  try {
    rmSync(scratch, { recursive: true, force: true });
  } catch {
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
