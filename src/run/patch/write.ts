import { pathBelow } from '../../kernel/path-text.ts';
import { readFileSync } from 'node:fs';
import type { Confinement } from '../../confine/types.ts';
import { join } from 'node:path';
import { writeArtifact } from '../../evidence/bundle/create.ts';
import { artifactPath, type Bundle } from '../../evidence/bundle/bundle.ts';
import { git, type GitCall } from '../../task/git/call.ts';
import { openOwnGit } from '../../task/git/own-git.ts';
import type { Change } from '../../task/tree/compare.ts';
import { treeId } from '../../task/git/objects.ts';
import { PackedObjects } from '../../task/git/pack.ts';
import { hasEmptyDir } from '../../task/tree/layered/search.ts';
import { chunkBuffer, chunksOfFile, type Tree } from '../../task/tree/walk.ts';
import {
  holdsEmptyDir,
  keepLargeBlobs,
  partBySize,
  placeLargeBlob,
  readLargeBlobs,
  removeEmptyDirs,
  removeLargeBlob,
} from './large-blobs.ts';

export interface PatchSources {
  /** Where the harness's own git directory is, or is to be made. */
  readonly ownGit: string;
  /** Directory with the contents before. */
  readonly baseDir: string;
  /** Directory with the contents after. */
  readonly frozenDir: string;
}

/** Writes `patch.diff`, and `blobs/` for large files, from changes that the harness read itself. */
export async function writePatch(changes: readonly Change[], from: PatchSources, bundle: Bundle): Promise<Buffer> {
  const { small, large } = partBySize(changes);
  if (large.length > 0) keepLargeBlobs(large, from.frozenDir, artifactPath(bundle, 'blobs'));
  const patch = small.length === 0 ? Buffer.alloc(0) : await diffText(small, from);
  writeArtifact(bundle, 'patch.diff', patch);
  return patch;
}

/** Git only produces the diff between two trees with exactly the changed files as walked. */
const PLAIN_DIFF = [
  'diff-tree',
  '-r',
  '-p',
  '--full-index',
  '--no-renames',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
];

function diffText(changes: readonly Change[], from: PatchSources): Promise<Buffer> {
  const { ownGit } = from;
  return git([...PLAIN_DIFF, '--binary', ...packTrees(changes, from)], { gitDir: ownGit, cwd: ownGit });
}

/** Git's own limits on what it compares are far above. */
const MAX_SHOWN_BYTES = 256 * 1024 * 1024;
const SHOWN_TIMEOUT_MS = 120_000;

/**
 * Writes a diff of all changes, large files and those with NUL bytes included, as text for a reader. Throws `GitFault` or `RangeError`
 * if it cannot show all of them. `ownGit` must be a git directory of its own.
 */
export async function writeReadableDiff(changes: readonly Change[], from: PatchSources, file: string): Promise<void> {
  const sides = changes.flatMap(({ before, after }) => [before, after]);
  const bytes = sides.reduce((sum, side) => sum + (side?.kind === 'file' ? side.bytes : 0), 0);
  if (bytes > MAX_SHOWN_BYTES) throw new RangeError(`the changed files have ${bytes} bytes, over ${MAX_SHOWN_BYTES}`);
  const { ownGit } = from;
  const args = [...PLAIN_DIFF, '--text', `--output=${file}`, ...packTrees(changes, from)];
  await git(args, { gitDir: ownGit, cwd: ownGit, timeoutMs: SHOWN_TIMEOUT_MS });
}

/** Writes the trees before and after to the harness's own git directory; returns their ids. */
function packTrees(changes: readonly Change[], { ownGit, baseDir, frozenDir }: PatchSources): [string, string] {
  openOwnGit(ownGit);
  const objects = new PackedObjects();
  const buffer = chunkBuffer();
  const treeOf = (leaves: readonly Change['after'][], dir: string): string =>
    treeId(
      leaves.filter((leaf) => leaf !== null),
      ({ path, bytes }) => objects.keepFile(bytes, () => chunksOfFile(pathBelow(dir, path), buffer)),
      objects.keep,
    );
  const before = treeOf(
    changes.map((change) => change.before),
    baseDir,
  );
  const after = treeOf(
    changes.map((change) => change.after),
    frozenDir,
  );
  objects.write(ownGit);
  return [before, after];
}

/** How git finds a tree: not every path of this process is one for other programs. */
type SeenByGit = Pick<GitCall, 'entering'> & { readonly workTree: string };

/** A tree of this process, as git finds it. */
export function seenByGit({ space }: Pick<Confinement, 'space'>, dir: string): SeenByGit {
  const overlay = space?.overlayAt(dir) ?? null;
  return space === null || overlay === null
    ? { workTree: dir }
    : { workTree: overlay.merged, entering: space.entering };
}

/**
 * Applies a bundle's patch and large blobs to a pristine tree; throws `GitFault` if the patch does not apply. `walked`: what a walk of the
 * tree found, if there was one.
 */
export async function applyPatch(
  bundleDir: string,
  treeDir: string,
  ownGit: string,
  seen: SeenByGit = { workTree: treeDir },
  walked: Tree | null = null,
): Promise<void> {
  const patch = readFileSync(join(bundleDir, 'patch.diff'));
  const large = readLargeBlobs(bundleDir);
  for (const blob of large) {
    removeEmptyDirs(blob.path, treeDir);
    removeLargeBlob(blob, treeDir);
  }
  if (patch.length > 0) await applyText({ gitDir: ownGit, ...seen, cwd: seen.workTree, input: patch }, treeDir, walked);
  for (const blob of large) placeLargeBlob(blob, bundleDir, treeDir);
}

/**
 * An empty directory in a file's place makes git fail half-way, after its own check has passed, so such directories are removed first. Most
 * trees have no empty directory and skip the query.
 */
async function applyText(call: GitCall, treeDir: string, walked: Tree | null): Promise<void> {
  if (walked === null ? holdsEmptyDir(treeDir) : hasEmptyDir(walked.entries)) {
    const paths = pathsOfNumstat(await git(['apply', '--numstat', '-z', '-'], call));
    for (const path of paths) removeEmptyDirs(path, treeDir);
  }
  await git(['apply', '--whitespace=nowarn', '-'], call);
}

/** Parses `added TAB deleted TAB path NUL` for every file of the patch. */
function pathsOfNumstat(output: Buffer): Buffer[] {
  const rows = output
    .toString('latin1')
    .split('\0')
    .filter((row) => row !== '');
  return rows.map((row) => Buffer.from(row.replace(/^[^\t]*\t[^\t]*\t/, ''), 'latin1'));
}
