import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { namesIn } from './walk.ts';

const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Whoever makes more is not followed further: looking at them all, again and again, would take all of our time. */
const MAX_FILES = 100;

const pathOf = (dir: number): string => `/proc/self/fd/${dir}`;

/** One step down from an open folder; a link is never followed, and a pipe is never waited for. Null: there is nothing of that kind. */
function step(dir: number, name: string, flags: number): number | null {
  try {
    return openSync(`${pathOf(dir)}/${name}`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | flags);
  } catch {
    return null;
  }
}

/**
 * Looks at files in a folder that somebody else is writing to right now: step by step from a root that is ours, so that no link
 * he puts in the way leads out of it. What is not there, or is not a plain file, is passed over.
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
