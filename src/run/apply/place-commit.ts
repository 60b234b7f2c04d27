import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { GitFault } from '../../task/git/call.ts';
import type { TreeChange } from '../../task/git/lay-changes.ts';
import { createBranch, moveBranch, removeBranch, restoreHead, switchHead } from './move-refs.ts';
import { type Destination, listed, refusalOfWorkTree } from './refusal.ts';
import type { Target } from './target.ts';
import { TargetWorkTree } from './work-tree.ts';

/** A commit that is on no branch yet. */
export interface PlacedCommit {
  readonly destination: Destination;
  readonly parent: string;
  readonly commit: string;
  readonly changes: readonly TreeChange[];
  /** Reflog message. */
  readonly why: string;
  /** A directory that does not exist yet. */
  readonly view: string;
}

/**
 * Puts a commit on its branch and, if requested, into the work tree. Conflicts are detected before a ref moves; refs move first, so that
 * git reads no configuration of the repository once the patch is in the work tree. Returns notices for the user.
 */
export async function placeCommit(target: Target, placed: PlacedCommit): Promise<readonly string[]> {
  const { destination, commit, why } = placed;
  const ref = destination.branch === null ? null : `refs/heads/${destination.branch}`;
  if (!destination.checkOut || target.workTree.kind !== 'here') {
    if (ref !== null) await createBranch(target, ref, commit, why).catch(notMoved(target, commit));
    return [];
  }
  const workTree = await TargetWorkTree.open(target, target.workTree.path, placed.view);
  const notes = await fit(target, workTree, placed);
  const undo = await moveRefs(target, ref, placed).catch(notMoved(target, commit));
  try {
    await workTree.checkOut(placed.parent, commit, { dryRun: false });
  } catch (error) {
    const undone = await undo().then(
      () => 'no branch was moved',
      () => 'its branch could not be moved back',
    );
    throw new SeatrialError(
      'blocked',
      `files of ${target.repo} could not be written, and ${undone}: ${messageOf(error)}; \`git status\` shows what was written before`,
      error,
    );
  }
  return notes;
}

/** Throws if the change cannot be checked out; otherwise returns notices about the files. */
async function fit(
  target: Target,
  workTree: TargetWorkTree,
  { parent, commit, changes }: PlacedCommit,
): Promise<readonly string[]> {
  const { repo } = target;
  try {
    const state = await workTree.state(changes);
    const paths = changes.map(({ path }) => path);
    const refusal = refusalOfWorkTree(repo, state, paths);
    if (refusal !== null) throw new SeatrialError('blocked', refusal);
    const filtered = await workTree.filtered(paths);
    await workTree.prepare(paths);
    await workTree.checkOut(parent, commit, { dryRun: true });
    return [
      ...(state.uncommitted.length === 0
        ? []
        : [`uncommitted changes stay as they are, outside of the commit: ${listed(state.uncommitted)}`]),
      ...[...new Set(filtered.map(({ filter }) => filter))].map((name) => {
        const files = listed(filtered.filter(({ filter }) => filter === name).map(({ path }) => path));
        return `apply does not run the git filter "${name}", so ${files} lies in the work tree as git stores it: remove the file and \`git checkout\` it to have it filtered`;
      }),
    ];
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError(
      'blocked',
      `the change cannot be checked out in ${repo}, and nothing was changed: ${messageOf(error)}`,
      error,
    );
  }
}

/** Returns a function that undoes the move. */
async function moveRefs(
  target: Target,
  newRef: string | null,
  { parent, commit, why }: PlacedCommit,
): Promise<() => Promise<void>> {
  const back = `${why}: undone`;
  if (newRef === null) {
    const ref = target.branch ?? 'HEAD';
    await moveBranch(target, ref, commit, parent, why);
    return () => moveBranch(target, ref, parent, commit, back);
  }
  await createBranch(target, newRef, commit, why);
  const undo = async (): Promise<void> => {
    await restoreHead(target, back);
    await removeBranch(target, newRef, commit);
  };
  try {
    await switchHead(target, newRef);
  } catch (error) {
    await removeBranch(target, newRef, commit);
    throw error;
  }
  return undo;
}

function notMoved(target: Target, commit: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError(
      'blocked',
      `${messageOf(error)}; the commit is in ${target.repo} as ${commit}, and no branch was moved`,
      error,
    );
  };
}
