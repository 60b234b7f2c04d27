/** Paths of a tree: relative, `/` between parts, '' for the root. */

export function parentOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '' : path.slice(0, slash);
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Lower case, without the dot. Empty for `Makefile` and `.env`. */
export function extensionOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** The name up to its last dot. */
export function stemOf(path: string): string {
  const name = nameOf(path);
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(0, dot) : name;
}

/** The parent directories of a path, nearest first, without the root. */
export function enclosingDirs(path: string): string[] {
  const dirs: string[] = [];
  for (let dir = parentOf(path); dir !== ''; dir = parentOf(dir)) dirs.push(dir);
  return dirs;
}

export function liesBelow(path: string, dir: string): boolean {
  return dir === '' || path.startsWith(`${dir}/`);
}

/** The path below `dir`, or null if it is not there. */
export function pathWithin(path: string, dir: string): string | null {
  if (dir === '') return path;
  return path.startsWith(`${dir}/`) ? path.slice(dir.length + 1) : null;
}

/** `b` relative to the directory `a`, without `.` and `..`. Null: it leads out of the tree. */
export function joinPaths(a: string, b: string): string | null {
  const parts = a === '' ? [] : a.split('/');
  for (const part of b.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.join('/');
}

/** The deepest directory that contains all of them. */
export function commonDir(paths: readonly string[]): string {
  const [first = '', ...others] = paths;
  return enclosingDirs(first).find((dir) => others.every((path) => liesBelow(path, dir))) ?? '';
}
