import { pathText } from '../../kernel/path-text.ts';
import { branchName, type Target } from './target.ts';

/** Where to put the commit. */
export interface Destination {
  /** A branch to create; null: advance the current branch. */
  readonly branch: string | null;
  /** False: leave the work tree and HEAD unchanged. Only with a branch. */
  readonly checkOut: boolean;
}

const ASIDE = 'give --branch <name> --no-checkout';

/** Why nothing can be applied to a repository in this state, and what to do about it; null: it can. */
export function refusalOf(target: Target, { branch, checkOut }: Destination, base: string): string | null {
  const { repo, workTree, head, operation } = target;
  if (checkOut) {
    if (workTree.kind === 'none')
      return `${repo} is a bare repository, without a work tree to check out into: ${ASIDE}`;
    if (workTree.kind === 'elsewhere')
      return `the work tree of ${repo} is ${workTree.path} (core.worktree), and apply writes only below ${repo}: ${ASIDE}`;
    if (operation !== null) return `a ${operation} is in progress in ${repo}: finish or abort it first, or ${ASIDE}`;
    if (head === null)
      return `${repo} has no commit on ${onto(target, branch)} yet: check out ${base}, which the run started from, or ${ASIDE}`;
    if (branch === null && target.branch === null)
      return `HEAD is detached in ${repo}, so the commit would be on no branch: give --branch <name>`;
  }
  const ref = branch === null ? target.branch : `refs/heads/${branch}`;
  const other = target.otherWorkTrees.find((one) => one.branch !== null && one.branch === ref);
  if (other !== undefined)
    return `branch ${branchName(ref ?? '')} is checked out in ${other.path} too, whose files would no longer match it: give another --branch <name>`;
  return null;
}

const onto = (target: Target, branch: string | null): string =>
  target.branch === null ? (branch ?? 'HEAD') : branchName(target.branch);

export interface WorkTreeState {
  /** Paths that differ between HEAD, the index and the work tree. */
  readonly uncommitted: readonly Buffer[];
  /** Paths that may differ: only a filter, a program of the repository, could tell. */
  readonly uncertain: readonly Buffer[];
  readonly conflicts: readonly Buffer[];
  /** Untracked files at paths that the change needs. */
  readonly inTheWay: readonly Buffer[];
}

/** Why the change cannot be checked out over the current work tree; null: it can. */
export function refusalOfWorkTree(
  repo: string,
  { uncommitted, uncertain, conflicts, inTheWay }: WorkTreeState,
  changed: readonly Buffer[],
): string | null {
  const touched = (paths: readonly Buffer[]): readonly Buffer[] =>
    paths.filter((path) => changed.some((other) => overlaps(path, other)));
  if (conflicts.length > 0)
    return `${repo} has unresolved conflicts (${listed(conflicts)}): resolve them first, or ${ASIDE}`;
  if (touched(uncommitted).length > 0)
    return `${repo} has uncommitted changes in what the patch touches (${listed(touched(uncommitted))}): commit or stash them first, or ${ASIDE}`;
  if (touched(uncertain).length > 0)
    return `${repo} may have uncommitted changes in what the patch touches (${listed(touched(uncertain))}), which only a git filter could tell, and apply runs none: look with \`git status\`, and apply again if there are none`;
  if (inTheWay.length > 0)
    return `${repo} has untracked files where the patch adds its own (${listed(inTheWay)}): move them away first, or ${ASIDE}`;
  return null;
}

const MAX_LISTED = 5;

/** The first few paths, and the number of the others. */
export function listed(paths: readonly Buffer[]): string {
  const shown = paths.slice(0, MAX_LISTED).map(pathText).join(', ');
  return paths.length > MAX_LISTED ? `${shown} and ${paths.length - MAX_LISTED} more` : shown;
}

/** Whether the paths are equal, or one is a parent directory of the other. */
function overlaps(one: Buffer, other: Buffer): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  return long.subarray(0, short.length).equals(short) && (long.length === short.length || long[short.length] === 0x2f);
}
