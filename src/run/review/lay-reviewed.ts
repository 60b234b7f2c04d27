import { basename, dirname, join, resolve } from 'node:path';
import { digestFile } from '../../evidence/storage/file-tree.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { Contract } from '../../task/contract.ts';
import { openOwnGit } from '../../task/git/own-git.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { applyPatch } from '../patch/write.ts';
import { findArchives, readContract } from '../trees/inputs.ts';
import { BASE, PATCHED } from './shown-trees.ts';

/**
 * Lays the two trees that the engine of a review saw beside the review's own files, from the bundle of the run that was reviewed.
 * `scratch`: for a git directory of ours.
 */
export async function layReviewed(
  reviewDir: string,
  { run_id: runId, base, patch_sha256: patch }: NonNullable<Contract['reviewed']>,
  filesDir: string,
  scratch: string,
): Promise<void> {
  const dir = join(dirname(resolve(reviewDir)), basename(runId));
  if (!isReviewed(dir, base.sha256, patch))
    throw new SeatrialError(
      'usage',
      `the engine of this review saw the files of ${runId}, whose bundle is not beside it; put it into ${dirname(dir)}`,
    );
  const { path: archive } = findArchives(dir, readContract(dir)).base;
  for (const name of [BASE, PATCHED]) unpackTree(archive, join(filesDir, name));
  await applyPatch(dir, join(filesDir, PATCHED), openOwnGit(join(scratch, 'reviewed-git')));
}

/** Whether a bundle has the base and the change that were reviewed. */
function isReviewed(dir: string, base: string, patch: string): boolean {
  try {
    return readContract(dir).base.sha256 === base && digestFile(join(dir, 'patch.diff')).sha256 === patch;
  } catch {
    return false;
  }
}
