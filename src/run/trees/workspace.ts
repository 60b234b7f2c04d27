import { chmodSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../../kernel/errors.ts';
import { copyTree, copyWritable } from '../../task/tree/copy.ts';
import { makeGitDir } from '../../task/git/call.ts';
import { type Tree, walkTree } from '../../task/tree/walk.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { type History, layHistory } from '../../task/git/history.ts';
import { commitBase } from '../../task/git/base-commit.ts';
import type { CachedBase } from './base-cache.ts';

/** What was laid into a workspace. */
export interface PreparedWorkspace {
  readonly tree: Tree;
  /** A copy of its git directory where no engine comes, for the control to start from; null: there is none. */
  readonly keptGit: string | null;
}

export interface BaseSource {
  readonly archive: string;
  /** A directory with the same files that is not needed any more. */
  readonly spare: string | null;
  /** The cache has these files, and what follows from them. */
  readonly cached: CachedBase | null;
}

/** False: it lies on another file system, and nothing was done. */
function takeDir(from: string, to: string): boolean {
  try {
    renameSync(from, to);
  } catch (error) {
    if (systemCode(error) === 'EXDEV') return false;
    throw error;
  }
  chmodSync(to, 0o755);
  return true;
}

/** A copy of the base with one commit in it, or with the history that was asked for: no remote, no hook, nothing shared with anything. */
export function makeWorkspace(
  from: BaseSource,
  dir: string,
  keptGit: string | null,
  history: History | null = null,
): PreparedWorkspace {
  const { cached } = from;
  if (cached !== null) {
    copyWritable(cached.dir, dir);
    chmodSync(dir, 0o755);
  } else if (from.spare === null || !takeDir(from.spare, dir)) unpackTree(from.archive, dir);
  const tree = cached === null ? walkTree(dir, { skipTopGit: true }) : cached.tree();
  const gitDir = join(dir, '.git');
  if (cached !== null && history === null) copyWritable(join(cached.gitParent, '.git'), gitDir);
  else makeRepository(dir, tree, history);
  if (keptGit !== null) copyTree(gitDir, keptGit);
  return { tree, keptGit };
}

/** The same for an overlay over cached files: all that may be missing is the history. */
export function completeOverlay(cached: CachedBase, dir: string, history: History | null): PreparedWorkspace {
  const tree = cached.tree();
  if (history !== null) makeRepository(dir, tree, history);
  return { tree, keptGit: null };
}

function makeRepository(dir: string, tree: Tree, history: History | null): void {
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  commitBase(gitDir, dir, tree, history);
  if (history !== null) layHistory(history, gitDir);
}

/** The same again, without working it out anew. */
export function cloneWorkspace(
  baseArchive: string,
  dir: string,
  { tree, keptGit }: PreparedWorkspace,
): PreparedWorkspace {
  if (keptGit === null) return makeWorkspace({ archive: baseArchive, spare: null, cached: null }, dir, null);
  unpackTree(baseArchive, dir);
  copyTree(keptGit, join(dir, '.git'));
  return { tree, keptGit: null };
}
