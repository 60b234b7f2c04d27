import type { Confinement } from '../../../../confine/types.ts';
import { deriveTree } from '../../../trees/derive.ts';
import type { FileDecision } from '../../deciding/decision.ts';
import { withoutNewTests } from '../../deciding/table/parts/new-tests.ts';
import { spliceInlineTests } from '../../inline/splice.ts';
import { manifestKind } from '../../manifests/manifest.ts';
import { mergeManifest } from '../../manifests/merge.ts';
import { languageOf } from '../../syntax/language.ts';
import type { ReadableTree } from './base-tree.ts';
import { layFile, removeFile, writeFile } from './lay-file.ts';
import type { RestoredFile } from '../silenced.ts';

/** The tree that decides: what has a vote from the patch, all else from the base. */
export interface DecidingTree {
  readonly dir: string;
  /** Files that could not be put together from both versions: the patch must be refused for each. */
  readonly problems: readonly { readonly path: string; readonly why: string }[];
  /** Files that the patch changes and that stand in it, whole or in part, as the base has them. */
  readonly restored: readonly RestoredFile[];
}

export interface PackageUse {
  /** Packages that the base's tests use; a patch brings no other version of them. */
  readonly testTools: ReadonlySet<string>;
  /** Packages that changed code of the product loads. */
  readonly loaded: ReadonlySet<string>;
}

/** Lays the tree to `target`, which is not there yet. Paths of the patch never lead out of it: links are replaced, not followed. */
export async function layDecidingTree(
  confinement: Pick<Confinement, 'space'>,
  target: string,
  decisions: readonly FileDecision[],
  base: ReadableTree,
  patched: ReadableTree,
  packages: PackageUse,
): Promise<DecidingTree> {
  const dir = await deriveTree(confinement, patched.dir, target);
  const problems: { path: string; why: string }[] = [];
  const restored: RestoredFile[] = [];
  const merging = decisions.filter(({ deciding }) => deciding === 'merged');
  const moves = new Map(
    merging.flatMap(({ path }) => {
      const place = movedTo(path, base, patched);
      return place === null ? [] : [[path, place] as const];
    }),
  );
  // Put together with the file that it was, not as a new one.
  const moved = new Set(moves.values());
  for (const { path, kind, deciding, why } of decisions) {
    if (deciding === 'base') {
      layFile(dir, base.dir, path);
      if (kind === 'no_vote' || kind === 'added_test')
        restored.push({ kind: 'file', path, removed: !patched.paths.includes(path) });
    }
    if (deciding !== 'merged' || moved.has(path)) continue;
    if (why === 'names_new_tests') {
      writeFile(dir, path, withoutNewTests(path, base.read(path) ?? '', patched.read(path) ?? ''));
      continue;
    }
    const place = moves.get(path) ?? path;
    const merged = await mergeFile({ from: path, to: place }, base, patched, packages);
    if (place !== path) removeFile(dir, path);
    if ('problem' in merged) {
      problems.push({ path, why: merged.problem });
      continue;
    }
    if (merged.text === null) removeFile(dir, place);
    else writeFile(dir, place, merged.text);
    if (merged.restored !== null) restored.push(merged.restored);
  }
  return { dir, problems, restored };
}

/** The other file in which Rust finds the same module, if the patch moved it there: `words.rs` and `words/mod.rs`. */
function movedTo(path: string, base: ReadableTree, patched: ReadableTree): string | null {
  if (!path.endsWith('.rs') || patched.read(path) !== null) return null;
  const other = path.endsWith('/mod.rs') ? path.replace(/\/mod\.rs$/, '.rs') : path.replace(/\.rs$/, '/mod.rs');
  return base.read(other) === null && patched.read(other) !== null ? other : null;
}

type MergedFile =
  | { readonly text: string | null; readonly restored: RestoredFile | null }
  | { readonly problem: string };

async function mergeFile(
  { from, to }: { readonly from: string; readonly to: string },
  base: ReadableTree,
  patched: ReadableTree,
  packages: PackageUse,
): Promise<MergedFile> {
  const kind = manifestKind(to);
  const [ours, theirs] = [base.read(from), patched.read(to)];
  if (kind !== null) {
    const { problems, text, fromBase } = mergeManifest({ kind, path: to, base: ours, patch: theirs, ...packages });
    if (problems.length > 0) return { problem: problems.join('; ') };
    return { text, restored: fromBase.length === 0 ? null : { kind: 'settings', path: from, keys: fromBase } };
  }
  const language = languageOf(to, theirs ?? '');
  if (language === null || theirs === null) return { text: ours, restored: null };
  const { problem, text, restored, lost } = await spliceInlineTests(language, ours, theirs);
  if (problem !== null) return { problem };
  const altered = restored.length + lost.length > 0;
  return { text, restored: text === theirs ? null : { kind: 'inline', path: from, removed: false, altered } };
}
