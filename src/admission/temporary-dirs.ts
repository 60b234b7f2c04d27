import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { isWithin } from '../kernel/path-text.ts';

/** Directories on this machine that are cleared regularly or are world-writable. */
export function temporaryDirs(env: Readonly<Record<string, string | undefined>>): string[] {
  const runtime = env['XDG_RUNTIME_DIR'];
  return ['/tmp', '/var/tmp', '/dev/shm', '/run/user', tmpdir(), ...(runtime === undefined ? [] : [runtime])];
}

/** The temporary directory that a file is in, with links resolved; null if it is in none. */
export function temporaryDirOf(path: string, temporary: readonly string[]): string | null {
  const real = resolved(path);
  return temporary.map(resolved).find((dir) => isWithin(real, dir)) ?? null;
}

function resolved(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
