import { SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import type { CommitBuilder } from './build-commit.ts';

export interface ChangeToMerge {
  readonly repo: string;
  readonly bundleDir: string;
  /** The commit that the run started from. */
  readonly base: string;
  /** The commit to merge with. */
  readonly onto: string;
  /** Files without a vote on the change, as texts. */
  readonly withoutVote: ReadonlySet<string>;
}

/** The change of a run, merged with a commit. All trees by id. */
export interface MergedChange {
  /** The base with the part of the change that is brought along. */
  readonly judged: string;
  /** The tree of the commit that was merged with. */
  readonly before: string;
  readonly tree: string;
  /** Changed files of the base that had no vote and are left as the base has them. */
  readonly leftOut: readonly string[];
}

/** Throws `MergeConflict` if the two do not fit together. */
export async function mergeChange(
  builder: CommitBuilder,
  { repo, bundleDir, base, onto, withoutVote }: ChangeToMerge,
): Promise<MergedChange> {
  const baseTree = await builder.treeOf(base);
  if (baseTree === null) throw missingBase(repo, base);
  const whole = await builder.patchedTree(bundleDir, base);
  const silent = (await builder.changes(baseTree, whole)).filter(
    ({ path, added }) => !added && withoutVote.has(pathText(path)),
  );
  const judged = await builder.withEntriesOf(
    baseTree,
    whole,
    silent.map(({ path }) => path),
  );
  const before = onto === base ? baseTree : await builder.treeOf(onto);
  if (before === null) throw new SeatrialError('blocked', `the tree of ${onto} is missing in ${repo}: fetch it first`);
  const tree = before === baseTree ? judged : await builder.mergedTree({ from: baseTree, to: judged, onto: before });
  return { judged, before, tree, leftOut: silent.map(({ path }) => pathText(path)) };
}

export const missingBase = (repo: string, base: string): SeatrialError =>
  new SeatrialError(
    'usage',
    `${repo} does not hold commit ${base}, which the run started from: fetch it, or give --repo`,
  );
