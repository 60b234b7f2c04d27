import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError } from '../../kernel/errors.ts';
import { git, GitFault } from '../../task/git/call.ts';
import { askTarget, branchName, openTarget, type Target } from '../apply/target.ts';
import { listed } from '../apply/refusal.ts';
import { TargetWorkTree } from '../apply/work-tree.ts';

/** A branch as it is now. */
export interface Branch {
  readonly target: Target;
  /** Full name. */
  readonly ref: string;
  readonly tip: string;
  /** The work tree that has it checked out; null: none. */
  readonly holder: Target | null;
}

export async function openBranch(repo: string, name: string, caller: Target['caller']): Promise<Branch> {
  const target = await openTarget(repo, caller);
  const ref = await refOf(name);
  const tip = await askTarget(target, ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`]);
  if (tip === '')
    throw new SeatrialError(
      'usage',
      `there is no branch ${branchName(ref)} in ${repo}; name an existing one with --onto`,
    );
  return { target, ref, tip, holder: await holderOf(target, ref) };
}

async function refOf(name: string): Promise<string> {
  const short = branchName(name);
  try {
    await git(['check-ref-format', '--branch', short]);
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError('usage', `${JSON.stringify(name)} cannot name a branch`, error);
  }
  return `refs/heads/${short}`;
}

async function holderOf(target: Target, ref: string): Promise<Target | null> {
  if (holds(target, ref)) return target;
  for (const { path } of target.otherWorkTrees) {
    if (!existsSync(path)) continue;
    const other = await openTarget(path, target.caller);
    if (holds(other, ref)) return other;
  }
  return null;
}

/** Also while a rebase has detached HEAD: it will move the branch at its end. */
function holds({ branch, gitDir, workTree }: Target, ref: string): boolean {
  if (workTree.kind === 'none') return false;
  if (branch === ref) return true;
  const rebased = ['rebase-merge', 'rebase-apply'].map((dir) => join(gitDir, dir, 'head-name'));
  return rebased.some((file) => existsSync(file) && readFileSync(file, 'utf8').trim() === ref);
}

/** Why the work tree that has the branch checked out cannot follow it; null: it can, or there is none. `view`: a path to create. */
export async function refusalOfHolder({ holder, ref }: Branch, view: string): Promise<string | null> {
  if (holder === null) return null;
  const { repo, workTree, operation, head } = holder;
  const name = branchName(ref);
  const instead = 'or check out another branch there';
  if (operation !== null) return `a ${operation} is in progress in ${repo}, which has ${name} checked out: finish it`;
  if (workTree.kind !== 'here')
    return `the work tree of ${repo} is outside of it (core.worktree), so the files of ${name} cannot be updated: ${instead.slice(3)}`;
  if (head === null) return `${repo} has no commit on ${name} yet`;
  const files = await TargetWorkTree.open(holder, workTree.path, view);
  const { uncommitted, uncertain } = await files.state([]);
  const changed = [...uncommitted, ...uncertain];
  return changed.length === 0
    ? null
    : `${repo} has ${name} checked out with uncommitted changes (${listed(changed)}), and its files would have to follow: commit or stash them, ${instead}`;
}
