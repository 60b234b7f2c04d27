import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isWithin } from '../../kernel/path-text.ts';

interface HostMount {
  readonly device: string;
  /** The directory of the file system that is mounted. */
  readonly root: string;
  readonly at: string;
}

/**
 * Every path at which this machine shows a file or directory, or a part of it: its real path, and the same place seen through other
 * mounts, as `mount --bind` makes them. Empty: it does not exist.
 */
export function pathsShowing(path: string, mountinfo = readFileSync('/proc/self/mountinfo', 'utf8')): string[] {
  let real: string;
  try {
    real = realpathSync(path);
  } catch {
    return [];
  }
  const shown = aliasesOf(real, parseMounts(mountinfo)).filter(({ alias, of }) => isSameFile(alias, of));
  return [...new Set([real, ...shown.map(({ alias }) => alias)])];
}

/** Where other mounts would show a path, or (`of`) a directory below it. */
export function aliasesOf(
  path: string,
  mounts: readonly HostMount[],
): readonly { readonly alias: string; readonly of: string }[] {
  const holder = mounts.filter(({ at }) => isWithin(path, at)).reduce<HostMount | null>(deeper, null);
  if (holder === null) return [];
  const inFileSystem = join(holder.root, tail(path, holder.at));
  return mounts.flatMap((mount) => {
    if (mount.device !== holder.device || mount === holder) return [];
    if (isWithin(inFileSystem, mount.root))
      return [{ alias: join(mount.at, tail(inFileSystem, mount.root)), of: path }];
    return isWithin(mount.root, inFileSystem)
      ? [{ alias: mount.at, of: join(path, tail(mount.root, inFileSystem)) }]
      : [];
  });
}

/** Of two mounts at the same place, the later one is seen. */
const deeper = (best: HostMount | null, mount: HostMount): HostMount =>
  best === null || mount.at.length >= best.at.length ? mount : best;

export function parseMounts(mountinfo: string): HostMount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [, , device, root, at] = line.split(' ');
    if (device === undefined || root === undefined || at === undefined) return [];
    return [{ device, root: unescaped(root), at: unescaped(at) }];
  });
}

const unescaped = (text: string): string =>
  text.replace(/\\([0-7]{3})/g, (_whole, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

/** What follows `dir` in `path`, with its slash; empty if they are equal. */
const tail = (path: string, dir: string): string => (dir === '/' ? (path === '/' ? '' : path) : path.slice(dir.length));
const join = (dir: string, rest: string): string => (dir === '/' ? rest || '/' : dir + rest);

function isSameFile(a: string, b: string): boolean {
  try {
    const [one, other] = [a, b].map((path) => statSync(path, { throwIfNoEntry: false, bigint: true }));
    return one !== undefined && other !== undefined && one.dev === other.dev && one.ino === other.ino;
  } catch {
    return false; // Not accessible to this user, and so not to a sandbox of the same user.
  }
}
