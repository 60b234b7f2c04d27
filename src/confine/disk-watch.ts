import { lstatSync, readdirSync } from 'node:fs';
import { systemCode } from '../kernel/errors.ts';

const PAUSE_MS = 500;
const ENTRIES_AT_ONCE = 400;
/** What a file costs at least, so that a flood of empty ones is a flood too. */
const LEAST_ENTRY_BYTES = 4096;

/** Calls `over` once when the folders together hold more than `limitBytes`. Returns what ends the watch. */
export function watchDisk(folders: readonly string[], limitBytes: number, over: () => void): () => void {
  if (folders.length === 0) return () => {};
  let ended = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    if (await holdMoreThan(folders, limitBytes, () => ended)) over();
    else if (!ended) timer = setTimeout(() => void look(), PAUSE_MS);
  };
  timer = setTimeout(() => void look(), PAUSE_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/** Stops adding as soon as the answer is known, and lets others work in between. */
export async function holdMoreThan(
  folders: readonly string[],
  limitBytes: number,
  cancelled: () => boolean = () => false,
): Promise<boolean> {
  const linked = new Set<string>();
  const todo = folders.map((folder) => Buffer.from(folder));
  let bytes = 0;
  let seen = 0;
  for (let folder = todo.pop(); folder !== undefined; folder = todo.pop()) {
    for (const entry of list(folder)) {
      if (entry === 'too deep to look at') return true;
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      if (entry.isDirectory()) todo.push(path);
      bytes += cost(path, linked);
      if (bytes > limitBytes) return true;
      if (++seen % ENTRIES_AT_ONCE === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        if (cancelled()) return false;
      }
    }
  }
  return false;
}

function list(folder: Buffer): ReturnType<typeof entriesOf> | ['too deep to look at'] {
  try {
    return entriesOf(folder);
  } catch (error) {
    // Nothing honest nests folders beyond the longest path; it would be a place to hide in.
    return systemCode(error) === 'ENAMETOOLONG' ? ['too deep to look at'] : [];
  }
}

const entriesOf = (folder: Buffer) => readdirSync(folder, { withFileTypes: true, encoding: 'buffer' });

function cost(path: Buffer, linked: Set<string>): number {
  try {
    const stat = lstatSync(path);
    if (stat.nlink > 1 && !stat.isDirectory()) {
      const key = `${stat.dev}:${stat.ino}`;
      if (linked.has(key)) return 0;
      linked.add(key);
    }
    return Math.max(stat.blocks * 512, LEAST_ENTRY_BYTES);
  } catch {
    return LEAST_ENTRY_BYTES;
  }
}
