import { statSync } from 'node:fs';
import { join } from 'node:path';

/** One lock a socket and prefix. Its file says who the watchdog is; its time of change is the watchdog's last sign of life. */
export function watchdogLockPath(key: string, env: NodeJS.ProcessEnv, uid: number): string {
  const runtime = env['XDG_RUNTIME_DIR'];
  const dir = runtime === undefined || runtime === '' ? `/tmp/seatrial-${uid}` : join(runtime, 'seatrial');
  return join(dir, `watchdog-${key}`);
}

/** Null: there is no lock file. */
export function heartbeatAge(lockPath: string, now: Date): number | null {
  const found = statSync(lockPath, { throwIfNoEntry: false });
  return found === undefined ? null : now.getTime() - found.mtimeMs;
}
