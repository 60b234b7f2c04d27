import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { git, makeGitDir } from '../task/git/call.ts';
import { findRepository, lookUpRef } from '../task/repository-files.ts';

export interface SourceTree {
  readonly root: string;
  /** Null: no commit exists. */
  readonly commit: string | null;
  /** Differences from that commit. Untracked files count, except the file itself, since build output is untracked. */
  readonly changed: readonly string[];
}

const LOOK_TIMEOUT_MS = 120_000;

/** The git work tree that contains a file, and its changes. Ignores the repository's configuration. */
export async function sourceTreeOf(file: string, scratch: string): Promise<SourceTree | null> {
  const root = workTreeAround(file);
  if (root === null) return null;
  const files = findRepository(root);
  const commit = lookUpRef(files, 'HEAD');
  if (commit === null) return { root, commit, changed: [] };
  const gitDir = join(scratch, 'git');
  makeGitDir(gitDir, [join(files.commonDir, 'objects')]);
  writeFileSync(join(gitDir, 'HEAD'), `${commit}\n`);
  const call = { gitDir, workTree: root, cwd: root, timeoutMs: LOOK_TIMEOUT_MS };
  await git(['read-tree', commit], call);
  // A submodule is a separate repository, and git would read its configuration.
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

/** The root of the git work tree that contains a file, or null. */
export function workTreeAround(file: string): string | null {
  return nearestTree(dirname(file));
}

function nearestTree(dir: string): string | null {
  if (existsSync(join(dir, '.git'))) return dir;
  return dir === dirname(dir) ? null : nearestTree(dirname(dir));
}
