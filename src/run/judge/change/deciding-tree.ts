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
  /** Tests inside of sources were taken from the base, because the patch has others. */
  readonly inlineTestsChanged: boolean;
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
  let inlineTestsChanged = false;
  for (const { path, deciding, why } of decisions) {
    if (deciding === 'base') layFile(dir, base.dir, path);
    if (deciding !== 'merged') continue;
    const place = movedTo(path, base, patched) ?? path;
    const merged = await mergeFile({ from: path, to: place }, base, patched, testTools);
    if (place !== path) removeFile(dir, path);
    if ('problem' in merged) problems.push({ path, why: merged.problem });
    else if (merged.text === null) removeFile(dir, place);
    else writeFile(dir, place, merged.text);
    if (why === 'inline_tests' && 'text' in merged && merged.text !== patched.read(place)) inlineTestsChanged = true;
  }
  const fromBase = decisions.filter(({ deciding }) => deciding === 'base').map(({ path }) => path);
  return { dir, problems, fromBase, inlineTestsChanged };
}

/** The other file in which Rust finds the same module, if the patch moved it there: `words.rs` and `words/mod.rs`. */
function movedTo(path: string, base: ReadableTree, patched: ReadableTree): string | null {
  if (!path.endsWith('.rs') || patched.read(path) !== null) return null;
  const other = path.endsWith('/mod.rs') ? path.replace(/\/mod\.rs$/, '.rs') : path.replace(/\.rs$/, '/mod.rs');
  return base.read(other) === null && patched.read(other) !== null ? other : null;
}

type MergedFile = { readonly text: string | null } | { readonly problem: string };

async function mergeFile(
  { from, to }: { readonly from: string; readonly to: string },
  base: ReadableTree,
  patched: ReadableTree,
  testTools: TestTools,
): Promise<MergedFile> {
  const kind = manifestKind(to);
  const [ours, theirs] = [base.read(from), patched.read(to)];
  if (kind !== null) {
    const merge = mergeManifest({ kind, path: to, base: ours, patch: theirs, testTools });
    return merge.problems.length > 0 ? { problem: merge.problems.join('; ') } : { text: merge.text };
  }
  const language = languageOf(to, theirs ?? '');
  if (language === null || theirs === null) return { text: ours };
  const spliced = await spliceInlineTests(language, ours, theirs);
  return spliced.problem === null ? { text: spliced.text } : { problem: spliced.problem };
}
