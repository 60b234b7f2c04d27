import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathBelow } from '../../kernel/path-text.ts';
import { shareTree } from '../tree/copy.ts';
import { areOneFile } from '../tree/same-file.ts';
import { chunkBuffer, chunksOfFile, type Tree, type TreeEntry, type WalkedTree, walkTree } from '../tree/walk.ts';
import { modeOf, treeId } from './objects.ts';
import { PackedObjects, uint32 } from './pack.ts';

/** Fixed, so that the same files give the same base commit on every machine. */
const BASE_AUTHOR = 'Seatrial <seatrial@localhost> 946684800 +0000';

type Leaf = Exclude<TreeEntry, { kind: 'dir' }>;

/** A tree with its one commit in a git directory of our own. */
export interface CommittedTree extends WalkedTree {
  readonly gitDir: string;
  readonly commit: string;
  /** Of files, by their paths as latin1. */
  readonly blobs: ReadonlyMap<string, string>;
}

/**
 * Commits a walked tree in a git directory of our own: one pack, one branch and a matching index. Returns the commit id. `onto`: the commit
 * whose files these are, which then is the base commit, or its parent where the tree differs.
 */
export function commitBase(
  gitDir: string,
  dir: string,
  tree: Tree,
  onto: { readonly commit: string; readonly tree: string } | null = null,
): string {
  return commitTree(gitDir, { dir, tree }, onto, null).commit;
}

/** The same for a tree that shares files with one committed before, by hard links: only the others are read and packed. */
export function commitSharing(gitDir: string, dir: string, earlier: CommittedTree | null): CommittedTree {
  const tree = walkTree(dir, { skipTopGit: true, ...(earlier === null ? {} : { sharing: earlier }) });
  return commitTree(gitDir, { dir, tree }, null, earlier);
}

/** The same for a walked tree over one committed before, whose git directory will lie under this one: only what was changed is read and packed. */
export function commitOver(gitDir: string, walked: WalkedTree, below: CommittedTree): CommittedTree {
  return commitTree(gitDir, walked, null, below, 'below');
}

function commitTree(
  gitDir: string,
  { dir, tree }: WalkedTree,
  onto: { readonly commit: string; readonly tree: string } | null,
  earlier: CommittedTree | null,
  packs: 'shared' | 'below' = 'shared',
): CommittedTree {
  const objects = new PackedObjects();
  const ids = new Map<Leaf, string>();
  const blobs = new Map<string, string>();
  const buffer = chunkBuffer();
  const leaves = [...tree.entries.values()].filter((entry) => entry.kind !== 'dir');
  for (const leaf of leaves) {
    if (leaf.kind === 'link') {
      ids.set(leaf, objects.keep('blob', leaf.target));
      continue;
    }
    const { bytes, path } = leaf;
    const key = path.toString('latin1');
    const isShared =
      earlier !== null &&
      (packs === 'below'
        ? earlier.tree.entries.get(key) === leaf
        : areOneFile(pathBelow(dir, path), pathBelow(earlier.dir, path)));
    const shared = isShared ? earlier.blobs.get(key) : null;
    const id = shared ?? objects.keepFile(bytes, () => chunksOfFile(pathBelow(dir, path), buffer));
    ids.set(leaf, id);
    blobs.set(key, id);
  }
  const idOf = (leaf: Leaf): string => ids.get(leaf) ?? '';
  const root = treeId(leaves, idOf, objects.keep);
  const parent = onto === null ? '' : `parent ${onto.commit}\n`;
  const text = `tree ${root}\n${parent}author ${BASE_AUTHOR}\ncommitter ${BASE_AUTHOR}\n\nBase\n`;
  const commit = onto?.tree === root ? onto.commit : objects.keep('commit', Buffer.from(text));
  if (earlier !== null && packs === 'shared') shareTree(packsIn(earlier.gitDir), packsIn(gitDir));
  objects.write(gitDir, earlier === null ? 'own' : 'changed');
  writeFileSync(join(gitDir, 'packed-refs'), `${commit} refs/heads/main\n`);
  writeFileSync(join(gitDir, 'index'), indexOf(leaves, idOf));
  return { dir, tree, gitDir, commit, blobs };
}

const packsIn = (gitDir: string): string => join(gitDir, 'objects', 'pack');

/** Without file times, as after `git read-tree`: git checks each file itself on first use. */
function indexOf(leaves: readonly Leaf[], idOf: (leaf: Leaf) => string): Buffer {
  const sorted = leaves.toSorted((a, b) => Buffer.compare(a.path, b.path));
  const head = Buffer.concat([Buffer.from('DIRC'), uint32(2), uint32(sorted.length)]);
  const body = Buffer.concat([head, ...sorted.map((leaf) => indexEntry(leaf, idOf(leaf)))]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

const INDEX_HEAD = 12;
const MODE_AT = 24;
const ID_AT = 40;
const NAME_AT = 62;
const LONGEST_COUNTED = 0xfff;

function indexEntry(leaf: Leaf, id: string): Buffer {
  const entry = Buffer.alloc((NAME_AT + leaf.path.length + 8) & ~7);
  entry.writeUInt32BE(Number.parseInt(modeOf(leaf), 8), MODE_AT);
  entry.write(id, ID_AT, 'hex');
  entry.writeUInt16BE(Math.min(leaf.path.length, LONGEST_COUNTED), NAME_AT - 2);
  leaf.path.copy(entry, NAME_AT);
  return entry;
}

/** What was committed into a git directory by `commitBase`, read back from it. */
export function readCommitted(gitDir: string, walked: WalkedTree): CommittedTree {
  const [commit = ''] = readFileSync(join(gitDir, 'packed-refs'), 'latin1').split(' ');
  const index = readFileSync(join(gitDir, 'index'));
  const blobs = new Map<string, string>();
  for (let at = INDEX_HEAD, left = index.readUInt32BE(8); left > 0; left -= 1) {
    const end = index.indexOf(0, at + NAME_AT);
    blobs.set(index.toString('latin1', at + NAME_AT, end), index.toString('hex', at + ID_AT, at + ID_AT + 20));
    at += (NAME_AT + (end - at - NAME_AT) + 8) & ~7;
  }
  return { ...walked, gitDir, commit, blobs };
}
