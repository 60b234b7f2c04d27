import { type Dir, type Dirent, lstatSync, opendirSync, statfsSync, statSync } from 'node:fs';
import { systemCode } from '../../kernel/errors.ts';

const PAUSE_MS = 500;
/** In a tree of many files a look takes long: the pause after it is this many times as long. */
const PAUSE_PER_LOOK = 3;
const ENTRIES_AT_ONCE = 400;
/** Minimum size counted per file, so that many empty files exceed the limit too. */
const MIN_ENTRY_BYTES = 4096;

/** Calls `over` once when the directories together hold more than `limitBytes`. Returns a function that stops the watch. */
export function watchDisk(dirs: readonly string[], limitBytes: number, over: () => void): () => void {
  if (dirs.length === 0) return () => {};
  const freeAtFirst = freeBytes(dirs);
  let ended = false;
  let timer: NodeJS.Timeout;
  const look = async (): Promise<void> => {
    const began = performance.now();
    const held = await measure(dirs, limitBytes, () => ended);
    if (ended) return;
    // Unreadable directories are bounded by the loss of free disk space, whichever process caused it.
    if (held === 'over' || (held === 'partly closed' && freeAtFirst - freeBytes(dirs) > limitBytes)) over();
    else timer = setTimeout(() => void look(), Math.max(PAUSE_MS, PAUSE_PER_LOOK * (performance.now() - began)));
  };
  timer = setTimeout(() => void look(), PAUSE_MS);
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

function freeBytes(dirs: readonly string[]): number {
  const disks = new Map(dirs.map((dir) => [statSync(dir).dev, dir]));
  return [...disks.values()].map((dir) => statfsSync(dir)).reduce((sum, disk) => sum + disk.bfree * disk.bsize, 0);
}

type Held = 'within' | 'over' | 'partly closed';

/** Stops as soon as the limit is exceeded, and yields to the event loop regularly. */
async function measure(
  dirs: readonly string[],
  limitBytes: number,
  cancelled: () => boolean = () => false,
): Promise<Held> {
  const linked = new Set<string>();
  const todo = dirs.map((dir) => Buffer.from(dir));
  let held: Held = 'within';
  let bytes = 0;
  let seen = 0;
  for (let dir = todo.pop(); dir !== undefined; dir = todo.pop()) {
    const listing = open(dir);
    if (listing === 'too deep') return 'over';
    if (listing === 'closed') held = 'partly closed';
    if (listing === 'gone' || listing === 'closed') continue;
    for (const entry of entriesOf(listing)) {
      const path = Buffer.concat([dir, Buffer.from('/'), Buffer.from(entry.name, NAMES)]);
      if (entry.isDirectory()) todo.push(path);
      bytes += cost(path, linked);
      if (bytes > limitBytes) return 'over';
      if (++seen % ENTRIES_AT_ONCE === 0) {
        await new Promise((resolve) => setImmediate(resolve));
        if (cancelled()) return held;
      }
    }
  }
  return held;
}

/** Preserves every byte of a name. */
const NAMES = 'latin1';

function open(dir: Buffer): Dir | 'too deep' | 'closed' | 'gone' {
  try {
    return opendirSync(dir, { encoding: NAMES });
  } catch (error) {
    // No honest program nests directories beyond the longest path; a hostile one could hide files there.
    if (systemCode(error) === 'ENAMETOOLONG') return 'too deep';
    return systemCode(error) === 'ENOENT' ? 'gone' : 'closed';
  }
}

/** Reads in small batches: the list of a huge directory may not fit in memory. */
function* entriesOf(listing: Dir): Generator<Dirent> {
  try {
    for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) yield entry;
  } finally {
    listing.closeSync();
  }
}

function cost(path: Buffer, linked: Set<string>): number {
  try {
    const stat = lstatSync(path);
    if (stat.nlink > 1 && !stat.isDirectory()) {
      const key = `${stat.dev}:${stat.ino}`;
      if (linked.has(key)) return 0;
      linked.add(key);
    }
    return Math.max(stat.blocks * 512, MIN_ENTRY_BYTES);
  } catch {
    return MIN_ENTRY_BYTES;
  }
}
