import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathBelow } from '../../kernel/path-text.ts';
import { shareTree } from '../tree/copy.ts';
import { areOneFile } from '../tree/same-file.ts';
import { chunkBuffer, chunksOfFile, type Tree, type TreeEntry, type WalkedTree, walkTree } from '../tree/walk.ts';
import { makeIndex } from './index-file.ts';
import { treeId } from './objects.ts';
import { PackedObjects } from './pack.ts';

/** Fixed, so that the same files give the same base commit on every machine. */
const BASE_AUTHOR = 'Seatrial <seatrial@localhost> 946684800 +0000';

type Leaf = Exclude<TreeEntry, { kind: 'dir' }>;

/** A tree with its one commit in a git directory of our own. */
export interface CommittedTree extends WalkedTree {
  readonly gitDir: string;
  readonly commit: string;
  /** The id of its git tree, worked out from its files. */
  readonly root: string;
  /** Of files, links and directories with any, by their paths as latin1. */
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Commits a walked tree in a git directory of our own: one pack, one branch and a matching index. `onto`: the commit
 * whose files these are, which then is the base commit, or its parent where the tree differs.
 */
export function commitBase(
  gitDir: string,
  dir: string,
  tree: Tree,
  onto: { readonly commit: string; readonly tree: string } | null = null,
): CommittedTree {
  return commitTree(gitDir, { dir, tree }, onto, null);
}

/** The same for a tree that shares files with one committed before, by hard links: only the others are read and packed. */
export function commitSharing(gitDir: string, dir: string, earlier: CommittedTree | null): CommittedTree {
  const tree = walkTree(dir, { skipTopGit: true, ...(earlier === null ? {} : { sharing: earlier }) });
  return commitTree(gitDir, { dir, tree }, null, earlier);
}

function commitTree(
  gitDir: string,
  { dir, tree }: WalkedTree,
  onto: { readonly commit: string; readonly tree: string } | null,
  earlier: CommittedTree | null,
): CommittedTree {
  const objects = new PackedObjects();
  const ids = new Map<string, string>();
  const buffer = chunkBuffer();
  const leaves = [...tree.entries.values()].filter((entry) => entry.kind !== 'dir');
  for (const leaf of leaves) {
    const { path } = leaf;
    const key = path.toString('latin1');
    if (leaf.kind === 'link') {
      ids.set(key, objects.keep('blob', leaf.target));
      continue;
    }
    const isShared = earlier !== null && areOneFile(pathBelow(dir, path), pathBelow(earlier.dir, path));
    const shared = isShared ? earlier.ids.get(key) : null;
    ids.set(key, shared ?? objects.keepFile(leaf.bytes, () => chunksOfFile(pathBelow(dir, path), buffer)));
  }
  const idOf = ({ path }: Leaf): string => ids.get(path.toString('latin1')) ?? '';
  const root = treeId(leaves, idOf, objects.keep, (path, id) => ids.set(path, id));
  const parent = onto === null ? '' : `parent ${onto.commit}\n`;
  const commit = onto?.tree === root ? onto.commit : objects.keep('commit', commitContent(root, parent));
  if (earlier !== null) shareTree(packsIn(earlier.gitDir), packsIn(gitDir));
  objects.write(gitDir, earlier === null ? 'own' : 'changed');
  setMain(gitDir, commit);
  writeFileSync(join(gitDir, 'index'), makeIndex(leaves, idOf));
  return { dir, tree, gitDir, commit, root, ids };
}

/** `parent`: its line, or nothing. */
export const commitContent = (tree: string, parent: string): Buffer =>
  Buffer.from(`tree ${tree}\n${parent}author ${BASE_AUTHOR}\ncommitter ${BASE_AUTHOR}\n\nBase\n`);

export function setMain(gitDir: string, commit: string): void {
  writeFileSync(join(gitDir, 'packed-refs'), `${commit} refs/heads/main\n`);
}

const packsIn = (gitDir: string): string => join(gitDir, 'objects', 'pack');
