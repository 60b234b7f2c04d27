import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SeatrialError } from '../kernel/errors.ts';
import { runTool } from './spawn.ts';

/**
 * A folder for everything that is written during a run, outside every bundle. Short, because socket paths below it may
 * have 108 bytes; when root will drop to another user, that user must be able to pass through it, though not to list
 * it.
 */
export function makeScratch(): string {
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-'));
  chmodSync(scratch, process.getuid?.() === 0 ? 0o711 : 0o700);
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
