import { joinPaths, parentOf, pathWithin } from '../path-parts.ts';
import { resolvePath } from '../tree-index.ts';
import type { AddedContext } from './context.ts';

const MAX_SHOWN = 10_000;

/** The paths that come into being through a link to a directory of the tree: `.github -> x` brings `.github/workflows/…`. */
export function pathsThroughLink(path: string, target: string, { base, added }: AddedContext): readonly string[] {
  const joined = target.startsWith('/') ? null : joinPaths(parentOf(path), target);
  const folder = joined === null ? null : resolvePath(joined, base.index).path;
  if (folder === null || folder === path) return [];
  const found: string[] = [];
  for (const one of [...base.base.paths, ...added]) {
    const within = pathWithin(one, folder);
    if (within !== null && one !== path && found.length < MAX_SHOWN) found.push(`${path}/${within}`);
  }
  return found;
}
