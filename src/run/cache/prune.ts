import { randomBytes } from 'node:crypto';
import { renameSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { withLock } from '../../evidence/storage/lock.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import { type CacheEntry, isDirectoryKind, listCache } from './entries.ts';
import { forgetUses, isInUse } from './uses.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** What the cache may hold before the entries that were not used for longest go. */
export const MAX_CACHE_BYTES = 10 * 1024 ** 3;

export interface CacheRules {
  /** Removes the entries that were not used for longest until the rest fits. */
  readonly maxBytes?: number;
  /** Removes entries that were not used for longer. */
  readonly olderThanDays?: number;
}

type Aged = Pick<CacheEntry, 'bytes' | 'usedMs' | 'inUse'>;

/** Pure. What has to go, the longest unused first. What is in use stays, and counts. */
export function selectForEviction<E extends Aged>(entries: readonly E[], rules: CacheRules, now: Date): readonly E[] {
  const { maxBytes = Infinity, olderThanDays = Infinity } = rules;
  let held = entries.reduce((sum, { bytes }) => sum + bytes, 0);
  const leaving: E[] = [];
  for (const entry of entries.filter(({ inUse }) => !inUse).toSorted((a, b) => a.usedMs - b.usedMs)) {
    if (held <= maxBytes && now.getTime() - entry.usedMs <= olderThanDays * DAY_MS) continue;
    leaving.push(entry);
    held -= entry.bytes;
  }
  return leaving;
}

/** Removes entries by the rules. Another harness may be at work: what it uses, or is about to use, stays. */
export async function pruneCache(cacheDir: string, rules: CacheRules, now: Date): Promise<readonly CacheEntry[]> {
  const gone: CacheEntry[] = [];
  for (const entry of selectForEviction(listCache(cacheDir), rules, now)) if (await remove(entry)) gone.push(entry);
  return gone;
}

async function remove(entry: CacheEntry): Promise<boolean> {
  if (isDirectoryKind(entry.kind)) return removeDirectory(dirname(entry.path), basename(entry.path));
  rmSync(entry.path, { force: true });
  return true;
}

/** How long whoever makes an entry of this key is waited for. */
const PATIENCE_MS = 1000;

async function removeDirectory(dir: string, key: string): Promise<boolean> {
  try {
    return await withLock(
      join(dir, `${key}.lock`),
      async () => {
        // Hidden first: a process that notes its use from now on does not find it, one that noted it before gets it back.
        const hidden = join(dir, `.filling-${key}-${randomBytes(6).toString('hex')}`);
        renameSync(join(dir, key), hidden);
        if (isInUse(dir, key)) {
          renameSync(hidden, join(dir, key));
          return false;
        }
        forgetUses(dir, key);
        await removeTree(hidden);
        return true;
      },
      PATIENCE_MS,
    );
  } catch (error) {
    // Another process makes it anew, or was quicker to remove it.
    if (systemCode(error) === 'ENOENT' || error instanceof SeatrialError) return false;
    throw error;
  }
}
