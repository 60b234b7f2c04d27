import { compareTrees } from '../../../task/tree/compare.ts';
import { leafFinder, withEntries } from '../../../task/tree/layered/search.ts';
import type { Tree } from '../../../task/tree/walk.ts';
import type { Swept } from '../../../task/git/ignored.ts';
import { pathText } from '../../../kernel/path-text.ts';
import { isToolOutput } from '../../judge/deciding/added/outputs.ts';
import { pathName, pathNameBytes } from '../../judge/deciding/path-name.ts';

const MAX_LISTED = 100;

/** Leaves out new files that tools write for themselves (`.pytest_cache`, `node_modules/.cache`): they are no part of any change. */
export function withoutToolCaches({ tree, ignored }: Swept, before: Tree): Swept {
  const keyOf = (path: Buffer): string => path.toString('latin1');
  const fresh = compareTrees(before, tree)
    .map(({ path }) => path)
    .filter((path) => tree.entries.has(keyOf(path)) && !before.entries.has(keyOf(path)));
  if (fresh.length === 0) return { tree, ignored };
  const holdsLeaf = leafFinder(before.entries);
  const nameKey = (name: string): string => keyOf(pathNameBytes(name));
  const index = {
    files: { has: (name: string) => (before.entries.get(nameKey(name))?.kind ?? 'dir') !== 'dir' },
    dirs: { has: (name: string) => holdsLeaf(nameKey(name)) },
  };
  const added = new Set(fresh.map(pathName));
  const caches = fresh.filter((path) => isToolOutput(pathName(path), { index }, added));
  const entries = withEntries(tree.entries, new Map(caches.map((path) => [keyOf(path), null])));
  return { tree: { ...tree, entries }, ignored: [...ignored, ...caches.slice(0, MAX_LISTED).map(pathText)] };
}
