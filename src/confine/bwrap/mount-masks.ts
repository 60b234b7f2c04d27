import { systemCode } from '../../kernel/errors.ts';
import { isWithin } from '../../kernel/path-text.ts';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { pathsShowing } from './mount-aliases.ts';
import type { Mount } from '../types.ts';

/** A host path that must not be visible in the sandbox. */
export interface HiddenPath {
  readonly path: string;
  readonly kind: 'dir' | 'file';
}

/** A path in the sandbox that an empty file or directory must hide. */
export interface MountMask {
  readonly target: string;
  readonly kind: HiddenPath['kind'];
}

/** Every path in the sandbox at which a bind would expose a hidden path. All sources must be real paths. */
export function masksFor(
  binds: readonly Pick<Mount, 'source' | 'target'>[],
  covered: readonly HiddenPath[],
): MountMask[] {
  return covered.flatMap(({ path, kind }) =>
    binds
      .filter(({ source }) => isWithin(path, source) && path !== source)
      .map(({ source, target }) => ({ kind, target: target + path.slice(source === '/' ? 0 : source.length) })),
  );
}

export interface Boundaries {
  readonly scratch: string;
  readonly covered: readonly HiddenPath[];
  readonly homes: readonly string[];
}

/** Why a real path must not be mounted; null: it may be. */
export function refuseSource(source: string, { scratch, covered, homes }: Boundaries): string | null {
  if (isWithin(source, scratch) && source !== scratch) return null;
  const holder = covered.find(({ path }) => isWithin(source, path));
  if (holder !== undefined) return `${source} lies in ${holder.path}, which no command may see`;
  const home = homes.find((path) => isWithin(path, source));
  if (home !== undefined)
    return `${source} would expose the whole home directory ${home}; name the directories in it that are needed`;
  return isWithin(scratch, source) ? `${source} would expose the scratch directory ${scratch}` : null;
}

/** Resolves links, adds the same places behind other mounts, and drops paths that do not exist. */
export function readHiddenPaths(paths: readonly string[]): HiddenPath[] {
  const mountinfo = readFileSync('/proc/self/mountinfo', 'utf8');
  const all = [...new Set(paths.flatMap((path) => pathsShowing(path, mountinfo)))];
  return all.flatMap((path) => {
    try {
      return [{ path, kind: lstatSync(path).isDirectory() ? 'dir' : 'file' } satisfies HiddenPath];
    } catch (error) {
      // Missing, a dangling link, or not accessible to this user, and so not to a sandbox of the same user.
      if (UNREACHABLE.has(systemCode(error) ?? '')) return [];
      throw error;
    }
  });
}

const UNREACHABLE: ReadonlySet<string> = new Set(['ENOENT', 'ENOTDIR', 'EACCES']);

/** Home directories, which are never mounted as a whole. Excludes those of services, which may be system paths such as /usr. */
export function readHomes(): string[] {
  const people = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .filter(([, , uid]) => uid === '0' || (Number(uid) >= 1000 && Number(uid) < 60_000))
    .map((fields) => fields[5] ?? '');
  const named = [...people, homedir(), '/home', '/root'].filter((home) => home.startsWith('/') && home !== '/');
  const real = named.flatMap((home) => (lstatSync(home, { throwIfNoEntry: false }) ? [realpathSync(home)] : []));
  return [...new Set(real)];
}
