import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathBelow } from '../../kernel/path-text.ts';
import { type Change, compareTrees, type Leaf } from '../tree/compare.ts';
import type { EntryTable } from '../tree/layered/entry-table.ts';
import { LayeredEntries } from '../tree/layered/layered-entries.ts';
import { chunkBuffer, chunksOfFile, type Tree, type WalkedTree } from '../tree/walk.ts';
import { commitContent, type CommittedTree, setMain } from './base-commit.ts';
import { changeIndex } from './index-file.ts';
import { modeOf, treeContent, type TreeRow } from './objects.ts';
import { PackedObjects } from './pack.ts';

const ID_BYTES = 20;

/** A tree that was committed before, with its git directory. */
export interface CommittedBase extends WalkedTree {
  readonly gitDir: string;
  readonly table: EntryTable;
  /** Of the git object of each entry, by its number in the table; zeros for a directory without files. */
  readonly ids: Buffer;
}

/** What `openCommitted` reads. */
export function writeIds({ tree, ids }: CommittedTree): Buffer {
  const all = Buffer.alloc(tree.entries.size * ID_BYTES);
  let at = 0;
  for (const key of tree.entries.keys()) {
    all.write(ids.get(key) ?? '', at, 'hex');
    at += ID_BYTES;
  }
  return all;
}

/** Null: the tree is not a table. */
export function openCommitted(gitDir: string, dir: string, tree: Tree, ids: Buffer): CommittedBase | null {
  return tree.entries instanceof LayeredEntries ? { gitDir, dir, tree, table: tree.entries.table, ids } : null;
}

/**
 * Commits a walked tree over one committed before, whose git directory will lie under this one: only what was changed is read, packed and
 * worked out.
 */
export function commitOver(gitDir: string, { dir, tree }: WalkedTree, below: CommittedBase): void {
  const objects = new PackedObjects();
  const buffer = chunkBuffer();
  const changes = compareTrees(below.tree, tree).map((change) => ({ ...change, id: keepLeaf(change.after) }));
  function keepLeaf(leaf: Leaf | null): string {
    if (leaf === null) return '';
    if (leaf.kind === 'link') return objects.keep('blob', leaf.target);
    return objects.keepFile(leaf.bytes, () => chunksOfFile(pathBelow(dir, leaf.path), buffer));
  }
  const root = new ChangedTrees(below, changes, objects).root();
  const commit = objects.keep('commit', commitContent(root, ''));
  objects.write(gitDir, 'changed');
  setMain(gitDir, commit);
  writeFileSync(join(gitDir, 'index'), changeIndex(readFileSync(join(below.gitDir, 'index')), changes));
}

type KeptChange = Change & { readonly id: string };

/** The git trees of the directories in which something was changed. */
class ChangedTrees {
  readonly #below: CommittedBase;
  readonly #objects: PackedObjects;
  readonly #leaves = new Map<string, KeptChange[]>();
  readonly #dirs = new Map<string, Set<string>>();

  constructor(below: CommittedBase, changes: readonly KeptChange[], objects: PackedObjects) {
    this.#below = below;
    this.#objects = objects;
    for (const change of changes) {
      const key = change.path.toString('latin1');
      const beside = this.#leaves.get(parentOf(key));
      if (beside === undefined) this.#leaves.set(parentOf(key), [change]);
      else beside.push(change);
      for (let dir = parentOf(key); dir !== ''; dir = parentOf(dir))
        this.#dirs.set(parentOf(dir), (this.#dirs.get(parentOf(dir)) ?? new Set()).add(dir));
    }
  }

  root(): string {
    return this.#objects.keep('tree', treeContent(this.#rowsOf('')));
  }

  #rowsOf(dir: string): TreeRow[] {
    const rows = new Map(this.#rowsBefore(dir).map((row) => [row.name, row]));
    for (const { path, after, id } of this.#leaves.get(dir) ?? []) {
      const name = lastOf(path.toString('latin1'));
      if (after !== null) rows.set(name, { name, mode: modeOf(after), id });
      else if (rows.get(name)?.mode !== '40000') rows.delete(name);
    }
    for (const sub of this.#dirs.get(dir) ?? []) {
      const name = lastOf(sub);
      const content = this.#rowsOf(sub);
      if (content.length > 0)
        rows.set(name, { name, mode: '40000', id: this.#objects.keep('tree', treeContent(content)) });
      else if (rows.get(name)?.mode === '40000') rows.delete(name);
    }
    return [...rows.values()];
  }

  #rowsBefore(dir: string): TreeRow[] {
    const { table, ids } = this.#below;
    const at = dir === '' ? null : table.find(dir);
    if (dir !== '' && at === null) return [];
    return Array.from(table.children(at), (child): TreeRow => {
      const entry = table.entryAt(child);
      const id = ids.toString('hex', child * ID_BYTES, (child + 1) * ID_BYTES);
      return { name: lastOf(table.keyAt(child)), mode: entry.kind === 'dir' ? '40000' : modeOf(entry), id };
    }).filter(({ id }) => !/^0+$/.test(id));
  }
}

const parentOf = (key: string): string => key.slice(0, Math.max(key.lastIndexOf('/'), 0));
const lastOf = (key: string): string => key.slice(key.lastIndexOf('/') + 1);
