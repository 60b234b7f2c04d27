import { constants, lstatSync, openSync, readdirSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { reason } from '../reasons/catalogue.ts';
import { Refused } from '../reasons/refused.ts';

/**
 * A repository can contain symbolic links to anywhere. Every write below one goes through this file, so that no link
 * redirects a write out of it.
 */

const { O_APPEND, O_CREAT, O_EXCL, O_NOFOLLOW, O_RDONLY, O_RDWR, O_TRUNC, O_WRONLY } = constants;

const FLAGS = {
  /** Creates or truncates the file. */
  w: O_WRONLY | O_CREAT | O_TRUNC,
  /** Creates the file, which must not exist. */
  wx: O_WRONLY | O_CREAT | O_EXCL,
  a: O_WRONLY | O_CREAT | O_APPEND,
  'a+': O_RDWR | O_CREAT | O_APPEND,
  'r+': O_RDWR,
  /** Creates the file without writing to it. */
  touch: O_RDONLY | O_CREAT,
} as const;

export type WriteMode = keyof typeof FLAGS;

/** Opens a file for writing; fails with ELOOP if the path itself is a symbolic link. */
export function openNoFollow(path: string, flags: WriteMode, mode = 0o666): number {
  return openSync(path, FLAGS[flags] | O_NOFOLLOW, mode);
}

/** Refuses a path that is a symbolic link or has one between `root` and itself. Does not check paths outside `root`. */
export function refuseLinks(root: string, ...paths: readonly string[]): void {
  for (const path of paths) refuseLink(root, path);
}

function refuseLink(root: string, path: string): void {
  const way = relative(resolve(root), resolve(path));
  if (isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`)) return;
  let at = resolve(root);
  for (const part of way.split(sep).filter((one) => one !== '')) {
    at = join(at, part);
    if (isLink(at)) throw new Refused(reason('link_not_followed', { path: at }));
  }
}

/** A path that cannot be inspected cannot be written either; the write will report the error. */
function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** The first symbolic link below a directory, or null. */
export function findLink(dir: string): string | null {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isSymbolicLink()) return path;
    const below = entry.isDirectory() ? findLink(path) : null;
    if (below !== null) return below;
  }
  return null;
}
