import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { isCredentialFile } from '../../confine/tools/credentials.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { DEPENDENCY_DIRS } from './harvest.ts';
import { textEntries } from '../../task/tree/text-entries.ts';

/** Each program has its own cache directory, with its settings at the top. Deeper files belong to packages and are kept. */
const CACHE_DEPTH = 2;

/**
 * A setup may be given credentials and write them where its package manager looks for them. Its products are shown to
 * engine and tests, so credential files are removed, except those of the base.
 */
export function dropCredentials(work: string, before: Tree, caches: string): void {
  const isInBase = (path: string): boolean => before.entries.has(Buffer.from(path).toString('latin1'));
  dropBelow(work, Infinity, isInBase);
  dropBelow(caches, CACHE_DEPTH, () => false);
}

function dropBelow(root: string, depth: number, isKept: (path: string) => boolean, dir = ''): void {
  for (const entry of textEntries(join(root, dir))) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      const inside = DEPENDENCY_DIRS.has(entry.name) ? Math.min(depth, 2) : depth;
      if (inside > 1) dropBelow(root, inside - 1, isKept, path);
    } else if (isCredentialFile(entry.name) && !isKept(path)) {
      rmSync(join(root, path), { force: true });
    }
  }
}
