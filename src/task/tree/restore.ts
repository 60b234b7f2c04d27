import { pathText } from '../../kernel/path-text.ts';
import { compareTrees } from './compare.ts';
import { rowsBelow, withEntries } from './layered/search.ts';
import type { Tree } from './walk.ts';

const isIn = (key: string, dirs: readonly string[]): boolean =>
  dirs.some((dir) => key === dir || key.startsWith(`${dir}/`));

/** The tree with these directories as they were before, faults in them included. */
export function restoreDirs(tree: Tree, before: Tree, dirs: readonly string[]): Tree {
  if (dirs.length === 0) return tree;
  const gone = dirs.flatMap((dir) => rowsBelow(tree.entries, dir)).map(([key]) => [key, null] as const);
  const asBefore = dirs.flatMap((dir) => rowsBelow(before.entries, dir));
  return {
    entries: withEntries(tree.entries, new Map([...gone, ...asBefore])),
    faults: tree.faults.filter((fault) => !isIn(fault.path.toString('latin1'), dirs)),
  };
}

/** The tree with what was `before` and is not in the base as it was: a setup made it. `changed`: where it was otherwise. */
export function restoreProducts(
  tree: Tree,
  before: Tree,
  base: Tree,
): { readonly tree: Tree; readonly changed: readonly string[] } {
  if (before === base) return { tree, changed: [] };
  const touched = compareTrees(before, tree).flatMap((change) =>
    change.before !== null && !base.entries.has(change.path.toString('latin1')) ? [change.before] : [],
  );
  if (touched.length === 0) return { tree, changed: [] };
  const restored = new Map(touched.map((product) => [product.path.toString('latin1'), product]));
  const entries = withEntries(tree.entries, restored);
  return { tree: { ...tree, entries }, changed: touched.map(({ path }) => pathText(path)) };
}
