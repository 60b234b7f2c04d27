import { copyTree } from '../../../task/tree/copy.ts';
import type { FileDecision } from '../deciding/decision.ts';
import { spliceInlineTests } from '../inline/splice.ts';
import { manifestKind } from '../manifests/manifest.ts';
import { mergeManifest } from '../manifests/merge.ts';
import { languageOf } from '../syntax/language.ts';
import type { ReadableTree } from './base-tree.ts';
import { layFile, removeFile, writeFile } from './lay-file.ts';

/** The tree that decides: what has a vote from the patch, all else from the base. */
export interface DecidingTree {
  readonly dir: string;
  /** Files that could not be put together from both versions: the patch must be refused for each. */
  readonly problems: readonly { readonly path: string; readonly why: string }[];
  /** Deciding files of the base that stand in it, changed by the patch or not. */
  readonly fromBase: readonly string[];
}

/** Packages that the base's tests use; a patch brings no other version of them. */
export type TestTools = ReadonlySet<string>;

/** Lays the tree into `dir`, which is not there yet. Paths of the patch never lead out of it: links are replaced, not followed. */
export async function layDecidingTree(
  dir: string,
  decisions: readonly FileDecision[],
  base: ReadableTree,
  patched: ReadableTree,
  testTools: TestTools,
): Promise<DecidingTree> {
  copyTree(patched.dir, dir);
  const problems: { path: string; why: string }[] = [];
  for (const { path, deciding } of decisions) {
    if (deciding === 'base') layFile(dir, base.dir, path);
    if (deciding !== 'merged') continue;
    const merged = await mergeFile(path, base, patched, testTools);
    if ('problem' in merged) problems.push({ path, why: merged.problem });
    else if (merged.text === null) removeFile(dir, path);
    else writeFile(dir, path, merged.text);
  }
  return { dir, problems, fromBase: decisions.filter(({ deciding }) => deciding === 'base').map(({ path }) => path) };
}

type MergedFile = { readonly text: string | null } | { readonly problem: string };

async function mergeFile(
  path: string,
  base: ReadableTree,
  patched: ReadableTree,
  testTools: TestTools,
): Promise<MergedFile> {
  const kind = manifestKind(path);
  const [ours, theirs] = [base.read(path), patched.read(path)];
  if (kind !== null) {
    const merge = mergeManifest({ kind, path, base: ours, patch: theirs, testTools });
    return merge.problems.length > 0 ? { problem: merge.problems.join('; ') } : { text: merge.text };
  }
  const language = languageOf(path, theirs ?? '');
  if (language === null || theirs === null) return { text: ours };
  const spliced = await spliceInlineTests(language, ours, theirs);
  return spliced.problem === null ? { text: spliced.text } : { problem: spliced.problem };
}
