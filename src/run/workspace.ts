import { join } from 'node:path';
import { copyTree } from '../task/copy-tree.ts';
import { makeGitDir } from '../task/git.ts';
import { type Tree, walkTree } from '../task/tree.ts';
import { unpackTree } from '../task/unpack.ts';
import { commitBase } from './base-commit.ts';

/** What was laid into a workspace. */
export interface Laid {
  readonly tree: Tree;
  /** A copy of its git directory where no engine comes, for the control to start from; null: there is none. */
  readonly keptGit: string | null;
}

/** A copy of the base with one commit in it: no remote, no hook, no history, nothing shared with anything. */
export function makeWorkspace(baseArchive: string, dir: string, keptGit: string | null): Laid {
  unpackTree(baseArchive, dir);
  const tree = walkTree(dir, { skipTopGit: true });
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  commitBase(gitDir, dir, tree);
  if (keptGit !== null) copyTree(gitDir, keptGit);
  return { tree, keptGit };
}

/** The same again, without working it out anew. */
export function repeatWorkspace(baseArchive: string, dir: string, { tree, keptGit }: Laid): Laid {
  if (keptGit === null) return makeWorkspace(baseArchive, dir, null);
  unpackTree(baseArchive, dir);
  copyTree(keptGit, join(dir, '.git'));
  return { tree, keptGit: null };
}
