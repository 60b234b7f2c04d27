import { rmSync } from 'node:fs';
import { SeatrialError } from '../kernel/errors.ts';
import { runTool } from './spawn.ts';

export { makeScratch } from './identity.ts';

/** Removes it whatever a command left there: folders deeper than any path can name, or closed even to their owner. */
export async function removeScratch(scratch: string): Promise<void> {
  try {
    rmSync(scratch, { recursive: true, force: true });
  } catch {
    await runTool('chmod', ['-R', 'u+rwx', '--', scratch], { timeoutMs: 120_000 });
    const removed = await runTool('rm', ['-rf', '--', scratch], { timeoutMs: 120_000 });
    if (removed.exitCode !== 0) {
      throw new SeatrialError('evidence', `the scratch folder ${scratch} could not be removed: ${removed.stderr.trim()}`);
    }
  }
}
