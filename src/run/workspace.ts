import { join } from 'node:path';
import { makeGitDir } from '../task/git.ts';
import { type Tree, walkTree } from '../task/tree.ts';
import { unpackTree } from '../task/unpack.ts';
import { commitBase } from './base-commit.ts';

/** A copy of the base with one commit in it: no remote, no hook, no history, nothing shared with anything. Gives what was laid. */
export function makeWorkspace(baseArchive: string, dir: string): Tree {
  unpackTree(baseArchive, dir);
  const base = walkTree(dir, { skipTopGit: true });
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  commitBase(gitDir, dir, base);
  return base;
}
