import { existsSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** The repository that a directory belongs to, and the directory's path in it (`''`: the directory is its root). */
export function repositoryAround(dir: string): { readonly root: string; readonly below: string } {
  for (let root = dir; ; root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return { root, below: relative(root, dir) };
    // A bare repository, or none at all: its reader says so.
    if (root === dirname(root)) return { root: dir, below: '' };
  }
}
