import { lchownSync, lstatSync, readdirSync } from 'node:fs';
import type { UserIdentity } from '../processes/identity.ts';
import type { Overlay } from './space.ts';

/**
 * Gives what this process has changed in an overlay to the user that commands run as. Goes by the list of changes alone, but through the overlay:
 * its layers must not be changed behind its back.
 */
export function giveChanges({ changes, view }: Overlay, owner: UserIdentity): void {
  const visit = (relative: Buffer): void => {
    for (const name of readdirSync(Buffer.concat([Buffer.from(changes), relative]), { encoding: 'buffer' })) {
      const path = Buffer.concat([relative, Buffer.from('/'), name]);
      const stat = lstatSync(Buffer.concat([Buffer.from(view), path]), { throwIfNoEntry: false });
      if (stat === undefined) continue; // The mark of a deletion.
      if (stat.uid !== owner.uid || stat.gid !== owner.gid)
        lchownSync(Buffer.concat([Buffer.from(view), path]), owner.uid, owner.gid);
      if (stat.isDirectory()) visit(path);
    }
  };
  visit(Buffer.alloc(0));
}
