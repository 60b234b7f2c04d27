import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isCredentialFile } from '../../confine/tools/credentials.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { DEPENDENCY_DIRS } from './harvest.ts';

/** Caches hold a folder a program, with its settings at the top: deeper files are packages, which are left alone. */
const CACHE_DEPTH = 2;

/**
 * A setup may have been given credentials, and may have written them where its package manager looks for them. What it leaves is shown to
 * engine and tests, so such files are not kept. Those of the base stay.
 */
export function dropCredentials(work: string, before: Tree, caches: string): void {
  const isOfTheBase = (path: string): boolean => before.entries.has(Buffer.from(path).toString('latin1'));
  dropBelow(work, Infinity, isOfTheBase);
  dropBelow(caches, CACHE_DEPTH, () => false);
}

function dropBelow(root: string, depth: number, isKept: (path: string) => boolean, dir = ''): void {
  for (const entry of readdirSync(join(root, dir), { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) {
      const inside = DEPENDENCY_DIRS.has(entry.name) ? Math.min(depth, 2) : depth;
      if (inside > 1) dropBelow(root, inside - 1, isKept, path);
    } else if (isCredentialFile(entry.name) && !isKept(path)) {
      rmSync(join(root, path), { force: true });
    }
  }
}
