import {
  chmodSync,
  constants,
  copyFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { writeWhole } from '../../evidence/storage/durable.ts';
import { reportingWrite } from '../../evidence/storage/write-failed.ts';
import { sha256Hex } from '../../evidence/schema/parts.ts';
import { prettyJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import { pathBytes, pathText, pathBelow } from '../../kernel/path-text.ts';
import type { Change } from '../../task/tree/compare.ts';
import { modeOf } from '../../task/git/objects.ts';

/** Files above this size are stored in `blobs/` by digest instead of in the patch. */
const LARGE_BLOB_BYTES = 4 * 1024 * 1024;

const gitMode = z.enum(['100644', '100755', '120000']);

/** `blobs/index.json`: the changed files that are too large for the patch. */
const blobIndex = z.array(
  z.strictObject({ path: z.string(), content: z.nullable(z.strictObject({ mode: gitMode, sha256: sha256Hex })) }),
);

export interface LargeBlob {
  readonly path: Buffer;
  readonly content: { readonly mode: z.infer<typeof gitMode>; readonly sha256: string } | null;
}

/** Limit of bytes in a patch, because all its contents are held in memory. */
const PATCH_CONTENT_BYTES = 16 * 1024 * 1024;

/** Splits changes into those for the patch and those for `blobs/`: large files, and all others once the patch is full. */
export function partBySize(changes: readonly Change[]): { readonly small: Change[]; readonly large: Change[] } {
  const small: Change[] = [];
  const large: Change[] = [];
  let bytes = 0;
  for (const change of changes) {
    const sizes = [change.before, change.after].map((side) => (side?.kind === 'file' ? side.bytes : 0));
    const both = sizes.reduce((sum, size) => sum + size, 0);
    const fits = sizes.every((size) => size <= LARGE_BLOB_BYTES) && bytes + both <= PATCH_CONTENT_BYTES;
    if (fits) bytes += both;
    (fits ? small : large).push(change);
  }
  return { small, large };
}

export function keepLargeBlobs(changes: readonly Change[], frozenDir: string, blobs: string): void {
  reportingWrite(blobs, () => {
    mkdirSync(blobs, { recursive: true });
    writeWhole(join(blobs, 'index.json'), prettyJson(changes.map((change) => keepLargeBlob(change, frozenDir, blobs))));
  });
}

function keepLargeBlob({ path, after }: Change, frozenDir: string, blobs: string): z.infer<typeof blobIndex>[number] {
  if (after === null) return { path: pathText(path), content: null };
  const digest = after.kind === 'file' ? after.sha256 : sha256(after.target);
  if (after.kind === 'file') copyFileSync(pathBelow(frozenDir, path), join(blobs, digest));
  else writeFileSync(join(blobs, digest), after.target);
  return { path: pathText(path), content: { mode: modeOf(after), sha256: digest } };
}

/** Reads the blob index of a bundle, which may be hostile: every returned path is inside the tree. */
export function readLargeBlobs(bundleDir: string): LargeBlob[] {
  const file = join(bundleDir, 'blobs', 'index.json');
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
  const blobs = blobIndex.parse(JSON.parse(text)).map(({ path, content }) => ({ path: pathBytes(path), content }));
  const outside = blobs.find(({ path }) =>
    partsOf(path).some((part) => part === '' || part === '.' || part === '..' || part === '.git'),
  );
  if (outside !== undefined)
    throw new SeatrialError('evidence', `${file} names ${pathText(outside.path)}, which is no path of a tree`);
  return blobs;
}

/** Removes what a large blob replaces, so that a patch can create a directory in its place. */
export function removeLargeBlob({ path }: LargeBlob, treeDir: string): void {
  if (leadsThrough(path, treeDir) === 'dirs') rmSync(pathBelow(treeDir, path), { force: true });
}

export function placeLargeBlob({ path, content }: LargeBlob, bundleDir: string, treeDir: string): void {
  if (content === null) return;
  if (leadsThrough(path, treeDir) === 'other')
    throw new SeatrialError('evidence', `${pathText(path)} of ${bundleDir}/blobs does not fit the tree`);
  const target = pathBelow(treeDir, path);
  const source = join(bundleDir, 'blobs', content.sha256);
  mkdirSync(target.subarray(0, target.lastIndexOf(SLASH)), { recursive: true });
  if (content.mode === '120000') {
    symlinkSync(readFileSync(source), target);
    return;
  }
  // Never overwrite: a hostile patch could have created a link there.
  copyFileSync(source, target, constants.COPYFILE_EXCL);
  chmodSync(target, content.mode === '100755' ? 0o755 : 0o644);
}

/** Patches do not record empty directories, so one may block the file that replaces it. */
export function removeEmptyDirs(path: Buffer, treeDir: string): void {
  if (leadsThrough(path, treeDir) === 'dirs') emptied(pathBelow(treeDir, path));
}

export function holdsEmptyDir(dir: string | Buffer): boolean {
  const entries = readdirSync(dir, { withFileTypes: true, encoding: 'buffer' });
  const at = Buffer.concat([Buffer.from(dir), SLASH]);
  return (
    entries.length === 0 || entries.some((one) => one.isDirectory() && holdsEmptyDir(Buffer.concat([at, one.name])))
  );
}

function emptied(dir: Buffer): boolean {
  if (lstatSync(dir, { throwIfNoEntry: false })?.isDirectory() !== true) return false;
  const names = readdirSync(dir, { encoding: 'buffer' });
  const left = names.filter((name) => !emptied(Buffer.concat([dir, SLASH, name])));
  if (left.length === 0) rmdirSync(dir);
  return left.length === 0;
}

const SLASH = Buffer.from('/');

function partsOf(path: Buffer): string[] {
  return path.toString('latin1').split('/');
}

/** What is above a path: real directories only, missing directories, or a file or link in the way. */
function leadsThrough(path: Buffer, treeDir: string): 'dirs' | 'nothing' | 'other' {
  const parts = partsOf(path).slice(0, -1);
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const above = Buffer.from(parts.slice(0, depth).join('/'), 'latin1');
    const stats = lstatSync(pathBelow(treeDir, above), { throwIfNoEntry: false });
    if (stats === undefined) return 'nothing';
    if (!stats.isDirectory()) return 'other';
  }
  return 'dirs';
}
