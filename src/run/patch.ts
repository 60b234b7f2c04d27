import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactPath, type Bundle, writeArtifact } from '../evidence/bundle.ts';
import { quotePath } from '../kernel/path-text.ts';
import { git, makeGitDir } from '../task/git.ts';
import type { Change } from './changes.ts';
import {
  inside,
  isLarge,
  keepLargeBlobs,
  modeOf,
  placeLargeBlob,
  readLargeBlobs,
  removeEmptyFolders,
  removeLargeBlob,
} from './large-blobs.ts';

/** Our attributes win over any the tree brings: no conversion, no filter, no driver. */
const OWN_ATTRIBUTES = '* -text !eol -ident !filter !diff !merge !working-tree-encoding !whitespace\n';

/** The harness's own git directory: written by us, read by us, never seen by an engine. */
export function openOwnGit(dir: string): string {
  makeGitDir(dir);
  mkdirSync(join(dir, 'info'), { recursive: true });
  writeFileSync(join(dir, 'info', 'attributes'), OWN_ATTRIBUTES);
  return dir;
}

export interface PatchSources {
  readonly ownGit: string;
  /** A tree that holds the contents before. */
  readonly baseDir: string;
  /** A tree that holds the contents after. */
  readonly frozenDir: string;
}

/** Writes `patch.diff`, and `blobs/` for what is too large, from changes the harness saw itself. */
export async function writePatch(changes: readonly Change[], from: PatchSources, bundle: Bundle): Promise<Buffer> {
  const large = changes.filter(isLarge);
  if (large.length > 0) keepLargeBlobs(large, from.frozenDir, artifactPath(bundle, 'blobs'));
  const small = changes.filter((change) => !isLarge(change));
  const patch = small.length === 0 ? Buffer.alloc(0) : await diffText(small, from);
  writeArtifact(bundle, 'patch.diff', patch);
  return patch;
}

/** Two commits through fast-import hold exactly the bytes we walked; no index, no work tree, no filter takes part. */
async function diffText(changes: readonly Change[], from: PatchSources): Promise<Buffer> {
  const stream = Buffer.concat([
    ...commit(
      'base',
      changes.map((change) => ({ path: change.path, side: change.before })),
      from.baseDir,
    ),
    ...commit(
      'frozen',
      changes.map((change) => ({ path: change.path, side: change.after })),
      from.frozenDir,
    ),
    Buffer.from('done\n'),
  ]);
  await git(['fast-import', '--quiet', '--done', '--force'], { gitDir: from.ownGit, input: stream });
  return git(
    [
      'diff-tree',
      '-r',
      '-p',
      '--binary',
      '--full-index',
      '--no-renames',
      '--no-ext-diff',
      '--no-textconv',
      '--no-color',
      'refs/heads/base',
      'refs/heads/frozen',
    ],
    { gitDir: from.ownGit, cwd: from.ownGit },
  );
}

function commit(name: string, sides: readonly { path: Buffer; side: Change['before'] }[], dir: string): Buffer[] {
  const message = `reset refs/heads/${name}\ncommit refs/heads/${name}\ncommitter Seatrial <seatrial@localhost> 0 +0000\ndata 0\n`;
  const parts: Buffer[] = [Buffer.from(message)];
  for (const { path, side } of sides) {
    if (side === null) continue;
    const content = contentOf(side, dir);
    parts.push(
      Buffer.from(`M ${modeOf(side)} inline ${quotePath(path)}\ndata ${content.length}\n`),
      content,
      Buffer.from('\n'),
    );
  }
  return parts;
}

function contentOf(side: NonNullable<Change['after']>, dir: string): Buffer {
  return side.kind === 'link' ? side.target : readFileSync(inside(dir, side.path));
}

/** Applies a bundle's patch and large blobs to a pristine tree; a patch that does not fit is a `GitFault`. */
export async function applyPatch(bundleDir: string, treeDir: string, ownGit: string): Promise<void> {
  const patch = readFileSync(join(bundleDir, 'patch.diff'));
  const large = readLargeBlobs(bundleDir);
  const call = { gitDir: ownGit, workTree: treeDir, cwd: treeDir, input: patch };
  const touched = patch.length === 0 ? [] : pathsOfNumstat(await git(['apply', '--numstat', '-z', '-'], call));
  for (const path of [...touched, ...large.map((blob) => blob.path)]) removeEmptyFolders(path, treeDir);
  for (const blob of large) removeLargeBlob(blob, treeDir);
  if (patch.length > 0) await git(['apply', '--whitespace=nowarn', '-'], call);
  for (const blob of large) placeLargeBlob(blob, bundleDir, treeDir);
}

/** `added TAB deleted TAB path NUL`, for every file of the patch. */
function pathsOfNumstat(output: Buffer): Buffer[] {
  const rows = output
    .toString('latin1')
    .split('\0')
    .filter((row) => row !== '');
  return rows.map((row) => Buffer.from(row.replace(/^[^\t]*\t[^\t]*\t/, ''), 'latin1'));
}
