import { removeTree } from '../evidence/storage/remove-tree.ts';
import { messageOf, SeatrialError } from '../kernel/errors.ts';

/** Removes a scratch directory with anything a command left there. */
export async function removeScratch(scratch: string): Promise<void> {
  try {
    await removeTree(scratch);
  } catch (error) {
    throw new SeatrialError('evidence', `cannot remove the scratch directory ${scratch}: ${messageOf(error)}`);
  }
}
