import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { git, makeGitDir } from '../task/git/call.ts';
import { findRepository, lookUpRef } from '../task/repository-files.ts';

export interface SourceTree {
  readonly root: string;
  /** Null: nothing was ever committed. */
  readonly commit: string | null;
  /** What differs from that commit. New files count too, but for the one that was asked about: what a build makes is new. */
  readonly changed: readonly string[];
}

const LOOK_TIMEOUT_MS = 120_000;

/** The git work tree that a file lies in, and whether it is as committed. Nothing of its configuration takes part. */
export async function sourceTreeOf(file: string, scratch: string): Promise<SourceTree | null> {
  const root = nearestTree(dirname(file));
  if (root === null) return null;
  const files = findRepository(root);
  const commit = lookUpRef(files, 'HEAD');
  if (commit === null) return { root, commit, changed: [] };
  const gitDir = join(scratch, 'git');
  makeGitDir(gitDir, [join(files.commonDir, 'objects')]);
  writeFileSync(join(gitDir, 'HEAD'), `${commit}\n`);
  const call = { gitDir, workTree: root, cwd: root, timeoutMs: LOOK_TIMEOUT_MS };
  await git(['read-tree', commit], call);
  // A submodule is a repository of its own, whose configuration git would follow.
  const status = await git(
    ['status', '--porcelain', '-z', '--no-renames', '--untracked-files=all', '--ignore-submodules=all'],
    call,
  );
  const changed = status
    .toString('utf8')
    .split('\0')
    .filter((line) => line !== '' && line !== `?? ${relative(root, file)}`)
    .map((line) => line.slice('?? '.length));
  return { root, commit, changed };
}

function nearestTree(dir: string): string | null {
  if (existsSync(join(dir, '.git'))) return dir;
  return dir === dirname(dir) ? null : nearestTree(dirname(dir));
}
