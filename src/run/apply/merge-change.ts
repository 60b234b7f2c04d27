import { SeatrialError } from '../../kernel/errors.ts';
import { pathText } from '../../kernel/path-text.ts';
import { spliceInlineTests } from '../judge/inline/splice.ts';
import { languageOf } from '../judge/syntax/language.ts';
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
  /** Files of the product that hold tests which the change alters, as texts. */
  readonly ownTests: ReadonlySet<string>;
}

/** The change of a run, merged with a commit. All trees by id. */
export interface MergedChange {
  /** The base with the part of the change that is brought along. */
  readonly judged: string;
  /** The tree of the commit that was merged with. */
  readonly before: string;
  readonly tree: string;
  /** Changed files of the base that had no vote and are left as the base has them, and sources of which that holds for their own tests. */
  readonly leftOut: readonly string[];
}

/** Throws `MergeConflict` if the two do not fit together. */
export async function mergeChange(
  builder: CommitBuilder,
  { repo, bundleDir, base, onto, withoutVote, ownTests }: ChangeToMerge,
): Promise<MergedChange> {
  const baseTree = await builder.treeOf(base);
  if (baseTree === null) throw missingBase(repo, base);
  const whole = await builder.patchedTree(bundleDir, base);
  const changed = (await builder.changes(baseTree, whole)).filter(({ added }) => !added);
  const silent = changed.filter(({ path }) => withoutVote.has(pathText(path)));
  const holding = changed.filter(({ path }) => ownTests.has(pathText(path))).map(({ path }) => path);
  const voted = await builder.withEntriesOf(
    baseTree,
    whole,
    silent.map(({ path }) => path),
  );
  const judged = await withOwnTestsOf(builder, baseTree, voted, holding);
  const before = onto === base ? baseTree : await builder.treeOf(onto);
  if (before === null) throw new SeatrialError('blocked', `the tree of ${onto} is missing in ${repo}: fetch it first`);
  const tree = before === baseTree ? judged : await builder.mergedTree({ from: baseTree, to: judged, onto: before });
  const leftOut = [
    ...silent.map(({ path }) => pathText(path)),
    ...holding.map((path) => `tests inside of ${pathText(path)}`),
  ];
  return { judged, before, tree, leftOut };
}

/** `tree` with the tests that the base has inside of these sources, as they were judged. */
async function withOwnTestsOf(
  builder: CommitBuilder,
  base: string,
  tree: string,
  paths: readonly Buffer[],
): Promise<string> {
  const files = [];
  for (const path of paths) {
    const [ours, theirs] = [await builder.readText(base, path), await builder.readText(tree, path)];
    const language = languageOf(pathText(path), theirs ?? '');
    const spliced =
      language === null || ours === null || theirs === null ? null : await spliceInlineTests(language, ours, theirs);
    if (spliced === null || spliced.problem !== null)
      throw new SeatrialError(
        'blocked',
        `the change alters tests inside of ${pathText(path)}, which had no vote and cannot be left out; review them, then use --with-tests`,
      );
    files.push({ path, text: spliced.text });
  }
  return builder.withTexts(tree, files);
}

export const missingBase = (repo: string, base: string): SeatrialError =>
  new SeatrialError(
    'usage',
    `${repo} does not hold commit ${base}, which the run started from: fetch it, or give --repo`,
  );
