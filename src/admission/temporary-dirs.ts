import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { packageRoot } from '../kernel/package-root.ts';
import { isWithin } from '../kernel/path-text.ts';

/** Directories on this machine that are cleared regularly or are world-writable. */
export function temporaryDirs(env: Readonly<Record<string, string | undefined>>): string[] {
  const runtime = env['XDG_RUNTIME_DIR'];
  return ['/tmp', '/var/tmp', '/dev/shm', '/run/user', tmpdir(), ...(runtime === undefined ? [] : [runtime])];
}

/**
 * The temporary directory that a file is in, with links resolved; null if it is in none. What comes with Seatrial itself stays as long as
 * Seatrial does, also in a clone below /tmp.
 */
export function temporaryDirOf(path: string, temporary: readonly string[]): string | null {
  const real = resolved(path);
  if (isWithin(real, resolved(packageRoot()))) return null;
  return temporary.map(resolved).find((dir) => isWithin(real, dir)) ?? null;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
