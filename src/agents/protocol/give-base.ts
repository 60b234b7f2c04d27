import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { giveCommit } from './clones.ts';

/** Puts the commit that a phase begins with into the builder's clone, as `refs/seatrial/base`. */
export async function giveBase(from: string, to: string, commit: string): Promise<void> {
  const scratch = mkdtempSync(join(tmpdir(), 'seatrial-base-'));
  try {
    await giveCommit({ from, to, base: null, commit, scratch, ref: 'base' });
  } finally {
    await removeTree(scratch);
  }
}
