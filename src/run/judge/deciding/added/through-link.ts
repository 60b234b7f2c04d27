import { joinPaths, parentOf, pathWithin } from '../path-parts.ts';
import { resolvePath } from '../tree-index.ts';
import type { AddedContext } from './context.ts';

const MAX_SHOWN = 10_000;

/** The paths that come into being through a link to a directory of the tree: `.github -> x` brings `.github/workflows/…`. */
export function pathsThroughLink(path: string, target: string, { base, added }: AddedContext): readonly string[] {
  const joined = target.startsWith('/') ? null : joinPaths(parentOf(path), target);
  const dir = joined === null ? null : resolvePath(joined, base.index).path;
  if (dir === null || dir === path) return [];
  const found: string[] = [];
  for (const one of [...base.base.paths, ...added]) {
    const within = pathWithin(one, dir);
    if (within !== null && one !== path && found.length < MAX_SHOWN) found.push(`${path}/${within}`);
  }
  return found;
}
