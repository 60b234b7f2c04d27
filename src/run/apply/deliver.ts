import { accessSync, constants, existsSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import { git, GitFault } from '../../task/git/call.ts';
import { CommitBuilder } from './build-commit.ts';

import { mergeChange, missingBase } from './merge-change.ts';
import { mergedInto } from './message.ts';
import { placeCommit } from './place-commit.ts';
import { type Destination, refusalOf } from './refusal.ts';
import { askTarget, branchName, type Target, wantsSignature } from './target.ts';

/** A patch to apply to the user's repository. */
export interface Delivery {
  readonly bundleDir: string;
  readonly runId: string;
  /** The commit that the run started from. */
  readonly base: string;
  readonly destination: Destination;
  /** The commit's message, given why the commit's tree is not the one that was judged; null: it is. */
  readonly message: (merged: string | null, leftOut: readonly string[]) => string;
  /**
   * Files without a vote on the change, as texts: what the base has of them stays as it is. Otherwise one patch could weaken the tests
   * that judge the next.
   */
  readonly withoutVote: ReadonlySet<string>;
  /** Files of the product that hold tests which the change alters, as texts: these tests stay as the base has them, for the same reason. */
  readonly ownTests: ReadonlySet<string>;
  /** A line of that message which no other run's has. */
  readonly mark: string;
  /** An existing, private directory. */
  readonly scratch: string;
}

export type Delivered =
  | {
      readonly outcome: 'already applied';
      /** Null: the change is present, but no commit names the run. */
      readonly commit: string | null;
      /** Null: HEAD is detached. */
      readonly branch: string | null;
    }
  | {
      /** `merged`: the repository has newer commits, so the commit's tree is not the judged one. */
      readonly outcome: 'applied' | 'merged';
      readonly commit: string;
      readonly branch: string;
      readonly checkedOut: boolean;
      /** Changed files of the base that had no vote and were not committed. */
      readonly leftOut: readonly string[];
      /** Sentences that a person should read. */
      readonly notes: readonly string[];
    };

/**
 * Builds the commit separately, from the judged tree, and moves a branch only when everything fits: a conflicting change leaves
 * refs, index and files unchanged. Runs no program that the repository or the patch names.
 */
export async function deliver(target: Target, delivery: Delivery): Promise<Delivered> {
  const { repo } = target;
  const { base, destination } = delivery;
  const builder = new CommitBuilder(target, delivery.scratch);
  const baseTree = await builder.treeOf(base);
  if (baseTree === null) throw missingBase(repo, base);
  const applied = await alreadyApplied(target, delivery, builder);
  if (applied !== null) return applied;
  const refusal = refusalOf(target, destination, base) ?? readOnlyPart(target, destination);
  if (refusal !== null) throw new SeatrialError('blocked', refusal);

  const parent = target.head ?? base;
  const { judged, before, tree, leftOut } = await mergeChange(builder, { ...delivery, repo, onto: parent });
  if (judged === baseTree && leftOut.length > 0)
    throw new SeatrialError(
      'blocked',
      `run ${delivery.runId} changes nothing but files that had no vote (${leftOut.join(', ')}); review them, then apply with --with-tests`,
    );
  if (tree === before) return { outcome: 'already applied', commit: null, branch: current(target) };
  const merged = tree !== judged;
  const commit = await builder.commit(tree, parent, delivery.message(merged ? mergedInto(parent) : null, leftOut));
  const notes = await placeCommit(target, {
    destination,
    parent,
    commit,
    changes: await builder.changes(before, tree),
    why: `seatrial apply ${delivery.runId}`,
    view: join(delivery.scratch, 'view'),
  });
  return {
    outcome: merged ? 'merged' : 'applied',
    commit,
    branch: destination.branch ?? current(target) ?? 'HEAD',
    checkedOut: destination.checkOut,
    leftOut,
    notes: wantsSignature(target) ? [...notes, unsigned(commit)] : notes,
  };
}

const current = ({ branch }: Target): string | null => (branch === null ? null : branchName(branch));

const unsigned = (commit: string): string =>
  `commit.gpgSign is set, but apply runs no program to sign with: ${commit.slice(0, 12)} is not signed; once it is checked out, \`git commit --amend --no-edit --gpg-sign\` signs it`;

/** An existing branch is accepted only if this run created it. */
async function alreadyApplied(
  target: Target,
  { base, destination: { branch }, mark }: Delivery,
  builder: CommitBuilder,
): Promise<Delivered | null> {
  const there = branch === null ? null : await findBranch(target, branch);
  if (branch !== null && there !== null) {
    const commit = await builder.findCommit(mark, there, base);
    if (commit !== null) return { outcome: 'already applied', commit, branch };
    throw new SeatrialError('usage', `branch ${branch} already exists in ${target.repo}: give another --branch`);
  }
  const commit = target.head === null ? null : await builder.findCommit(mark, target.head, base);
  return commit === null ? null : { outcome: 'already applied', commit, branch: current(target) };
}

async function findBranch(target: Target, branch: string): Promise<string | null> {
  try {
    await git(['check-ref-format', '--branch', branch]);
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError('usage', `${JSON.stringify(branch)} cannot name a branch`, error);
  }
  const found = await askTarget(target, ['rev-parse', '--verify', '--quiet', `refs/heads/${branch}^{commit}`]);
  return found === '' ? null : found;
}

/** Checked before anything is written, so that no partial result is left. */
function readOnlyPart({ repo, gitDir, commonDir, workTree }: Target, { checkOut }: Destination): string | null {
  const refs = join(commonDir, 'refs');
  const files = checkOut && workTree.kind === 'here' ? [gitDir, workTree.path] : [];
  for (const path of [join(commonDir, 'objects'), ...(existsSync(refs) ? [refs] : []), ...files]) {
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      const why = systemCode(error) === 'EROFS' ? 'the file system is read-only' : 'permission denied';
      return `${repo} is read-only (${path}: ${why}), and nothing was changed: give a clone of it that you can write to by --repo`;
    }
  }
  return null;
}
