import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artifactPath, type Bundle, writeArtifact } from '../evidence/bundle.ts';
import { reportingWrite } from '../evidence/durable.ts';
import * as z from 'zod/mini';
import { sha256Hex } from '../evidence/schema/parts.ts';
import { systemCode } from '../kernel/errors.ts';
import { prettyJson } from '../kernel/canonical.ts';
import { sha256 } from '../kernel/digest.ts';
import { pathBytes, pathText, quotePath } from '../kernel/path-text.ts';
import { git, makeGitDir } from '../task/git.ts';
import type { Change } from './changes.ts';

/** A file above this size lies beside the patch, by its digest, instead of inside it. */
const LARGE_BLOB_BYTES = 4 * 1024 * 1024;

const gitMode = z.enum(['100644', '100755', '120000']);

/** `blobs/index.json`: what belongs to the patch and is too large for it. */
export const blobIndex = z.array(
  z.strictObject({ path: z.string(), content: z.nullable(z.strictObject({ mode: gitMode, sha256: sha256Hex })) }),
);

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

function isLarge(change: Change): boolean {
  return [change.before, change.after].some((side) => side?.kind === 'file' && side.bytes > LARGE_BLOB_BYTES);
}

function keepLargeBlobs(changes: readonly Change[], frozenDir: string, blobs: string): void {
  reportingWrite(blobs, () => {
    mkdirSync(blobs, { recursive: true });
    writeFileSync(join(blobs, 'index.json'), prettyJson(changes.map((change) => keepLargeBlob(change, frozenDir, blobs))));
  });
}

function keepLargeBlob({ path, after }: Change, frozenDir: string, blobs: string): z.infer<typeof blobIndex>[number] {
  if (after === null) return { path: pathText(path), content: null };
  const digest = after.kind === 'file' ? after.sha256 : sha256(after.target);
  if (after.kind === 'file') copyFileSync(inside(frozenDir, path), join(blobs, digest));
  else writeFileSync(join(blobs, digest), after.target);
  return { path: pathText(path), content: { mode: modeOf(after), sha256: digest } };
}

/** Two commits through fast-import hold exactly the bytes we walked; no index, no work tree, no filter takes part. */
async function diffText(changes: readonly Change[], from: PatchSources): Promise<Buffer> {
  const stream = Buffer.concat([
    ...commit('base', changes.map((change) => ({ path: change.path, side: change.before })), from.baseDir),
    ...commit('frozen', changes.map((change) => ({ path: change.path, side: change.after })), from.frozenDir),
    Buffer.from('done\n'),
  ]);
  await git(['fast-import', '--quiet', '--done', '--force'], { gitDir: from.ownGit, input: stream });
  return git(
    ['diff-tree', '-r', '-p', '--binary', '--full-index', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', 'refs/heads/base', 'refs/heads/frozen'],
    { gitDir: from.ownGit, cwd: from.ownGit },
  );
}

function commit(name: string, sides: readonly { path: Buffer; side: Change['before'] }[], dir: string): Buffer[] {
  const message = `reset refs/heads/${name}\ncommit refs/heads/${name}\ncommitter Seatrial <seatrial@localhost> 0 +0000\ndata 0\n`;
  const parts: Buffer[] = [Buffer.from(message)];
  for (const { path, side } of sides) {
    if (side === null) continue;
    const content = contentOf(side, dir);
    parts.push(Buffer.from(`M ${modeOf(side)} inline ${quotePath(path)}\ndata ${content.length}\n`), content, Buffer.from('\n'));
  }
  return parts;
}

type Side = NonNullable<Change['after']>;

function modeOf(side: Side): z.infer<typeof gitMode> {
  if (side.kind === 'link') return '120000';
  return side.executable ? '100755' : '100644';
}

function contentOf(side: Side, dir: string): Buffer {
  return side.kind === 'link' ? side.target : readFileSync(inside(dir, side.path));
}

function inside(dir: string, path: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${dir}/`), path]);
}

/** Applies a bundle's patch and large blobs to a pristine tree; a patch that does not fit is a `GitFault`. */
export async function applyPatch(bundleDir: string, treeDir: string, ownGit: string): Promise<void> {
  const patch = readFileSync(join(bundleDir, 'patch.diff'));
  if (patch.length > 0) {
    await git(['apply', '--whitespace=nowarn', '-'], { gitDir: ownGit, workTree: treeDir, cwd: treeDir, input: patch });
  }
  for (const blob of readBlobIndex(bundleDir)) placeBlob(blob, join(bundleDir, 'blobs'), treeDir);
}

function readBlobIndex(bundleDir: string): z.infer<typeof blobIndex> {
  try {
    return blobIndex.parse(JSON.parse(readFileSync(join(bundleDir, 'blobs', 'index.json'), 'utf8')));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function placeBlob(blob: z.infer<typeof blobIndex>[number], blobs: string, treeDir: string): void {
  const target = inside(treeDir, pathBytes(blob.path));
  rmSync(target, { force: true });
  if (blob.content === null) return;
  const source = join(blobs, blob.content.sha256);
  mkdirSync(parentOf(target), { recursive: true });
  if (blob.content.mode === '120000') {
    symlinkSync(readFileSync(source), target);
    return;
  }
  copyFileSync(source, target);
  chmodSync(target, blob.content.mode === '100755' ? 0o755 : 0o644);
}

function parentOf(path: Buffer): Buffer {
  return path.subarray(0, path.lastIndexOf(0x2f));
}
