import { keysThatDiffer } from './layered/search.ts';
import type { Tree, TreeEntry } from './walk.ts';

export type Leaf = Exclude<TreeEntry, { kind: 'dir' }>;

/** One path that differs between two trees. A side is null if it has no file or link at the path (directories do not count). */
export interface Change {
  readonly path: Buffer;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
}

/** The differences between two walks: contents, kind and the executable bit. Pure: the walks are the evidence. */
export function compareTrees(before: Tree, after: Tree): Change[] {
  const changes: Change[] = [];
  const keys = keysThatDiffer(before.entries, after.entries);
  for (const key of keys ?? new Set([...before.entries.keys(), ...after.entries.keys()])) {
    const old = leaf(before.entries.get(key));
    const now = leaf(after.entries.get(key));
    const path = (now ?? old)?.path;
    if (path !== undefined && !sameLeaf(old, now)) changes.push({ path, before: old, after: now });
  }
  return changes.sort((a, b) => Buffer.compare(a.path, b.path));
}

function leaf(entry: TreeEntry | undefined): Leaf | null {
  return entry === undefined || entry.kind === 'dir' ? null : entry;
}

function sameLeaf(a: Leaf | null, b: Leaf | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.sha256 === b.sha256 && a.executable === b.executable;
  if (a.kind === 'link' && b.kind === 'link') return a.target.equals(b.target);
  return false;
}
