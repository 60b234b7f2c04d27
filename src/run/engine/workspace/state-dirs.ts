import { inByteOrder, type Tree } from '../../../task/tree/walk.ts';

const isIn = (key: string, names: readonly string[]): boolean =>
  names.some((name) => key === name || key.startsWith(`${name}/`));

/** The tree with an engine's own leavings as they were before it came: neither its work nor its fault. */
export function withoutStateDirs(tree: Tree, before: Tree, names: readonly string[]): Tree {
  if (names.length === 0) return tree;
  const others = [...tree.entries].filter(([key]) => !isIn(key, names));
  const asBefore = [...before.entries].filter(([key]) => isIn(key, names));
  return {
    entries: inByteOrder([...others, ...asBefore]),
    faults: tree.faults.filter((fault) => !isIn(fault.path.toString('latin1'), names)),
  };
}
