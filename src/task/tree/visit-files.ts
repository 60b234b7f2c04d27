import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { namesIn } from './walk.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Limit of files visited: scanning more of them again and again would take too long. */
const MAX_FILES = 100;

const pathOf = (dir: number): string => `/proc/self/fd/${dir}`;

/** Opens an entry of an open directory without following links or blocking on pipes. Null: no such entry of that kind. */
function step(dir: number, name: string, flags: number): number | null {
  try {
    return openSync(`${pathOf(dir)}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags);
  } catch {
    return null;
  }
}

/**
 * Visits files in a directory that another process may be writing to. Descends step by step from a trusted root, so that no link
 * created meanwhile leads out of it. Skips missing files and those that are not regular.
 */
export function visitFilesNoFollow(root: string, dir: string, visit: (name: string, fd: number) => void): void {
  const open = [openSync(root, O_RDONLY | O_DIRECTORY)];
  try {
    for (const part of dir.split('/')) {
      const next = step(open.at(-1) ?? -1, part, O_DIRECTORY);
      if (next === null) return;
      open.push(next);
    }
    const at = open.at(-1) ?? -1;
    const names = namesIn(Buffer.from(pathOf(at)), MAX_FILES).slice(0, MAX_FILES);
    for (const name of names.map(String).toSorted()) {
      const fd = step(at, name, 0);
      if (fd === null) continue;
      open.push(fd);
      if (fstatSync(fd).isFile()) visit(name, fd);
    }
  } finally {
    for (const fd of open) closeSync(fd);
  }
}
