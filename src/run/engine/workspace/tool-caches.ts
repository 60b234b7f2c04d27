import { type Tree } from '../../../task/tree/walk.ts';
import type { Swept } from '../../../task/git/ignored.ts';
import { pathText } from '../../../kernel/path-text.ts';
import { isToolOutput } from '../../judge/deciding/added/outputs.ts';
import { pathName } from '../../judge/deciding/path-name.ts';
import { enclosingDirs } from '../../judge/deciding/path-parts.ts';

const MAX_LISTED = 100;

/** Leaves out new files that tools write for themselves (`.pytest_cache`, `node_modules/.cache`): they are no part of any change. */
export function withoutToolCaches({ tree, ignored }: Swept, before: Tree): Swept {
  const known = [...before.entries.values()].filter(({ kind }) => kind !== 'dir').map(({ path }) => pathName(path));
  const index = { files: new Set(known), dirs: new Set(known.flatMap(enclosingDirs)) };
  const fresh = [...tree.entries].filter(([key, { kind }]) => kind !== 'dir' && !before.entries.has(key));
  const added = new Set(fresh.map(([, { path }]) => pathName(path)));
  const caches = new Map(fresh.filter(([, { path }]) => isToolOutput(pathName(path), { index }, added)));
  if (caches.size === 0) return { tree, ignored };
  const entries = new Map([...tree.entries].filter(([key]) => !caches.has(key)));
  const names = [...caches.values()].slice(0, MAX_LISTED).map(({ path }) => pathText(path));
  return { tree: { ...tree, entries }, ignored: [...ignored, ...names] };
}
