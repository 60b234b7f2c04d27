import { type Overlay, OverlaySpace } from '../../confine/overlay/space.ts';
import type { UserIdentity } from '../../confine/processes/identity.ts';
import type { Tree, WalkOptions } from '../../task/tree/walk.ts';
import type { CachedBase } from './base-cache.ts';

/** In the scratch directory: what an engine changed, if its workspace was an overlay. */
export const OVERLAY_PLACE = 'workspace-layers';

/** An overlay over cached files, and what it takes to work in it. */
export interface OverlaidBase {
  readonly space: OverlaySpace;
  readonly overlay: Overlay;
  readonly owner: UserIdentity | null;
}

/** For a walk of an overlay over the base: to look at its changes alone. */
export function overBase(base: Tree, overlay: Overlay | null): Pick<WalkOptions, 'over'> {
  return overlay === null ? {} : { over: { entries: base.entries, changes: [overlay.changes] } };
}

/** A base that can be changed without being copied. `place`: where the changes are kept. Null: this machine cannot mount such a thing. */
export async function overlayBase(
  cached: CachedBase,
  options: { readonly place: string; readonly withGit: boolean; readonly path: string },
): Promise<OverlaidBase | null> {
  const space = await OverlaySpace.open(options.path, cached.owner);
  if (space === null) return null;
  const layers = [...(options.withGit ? [cached.gitParent] : []), cached.dir];
  const overlay = await space.mount(options.place, layers);
  space.addLayer(cached.dir);
  if (overlay !== null) return { space, overlay, owner: cached.owner };
  space.close();
  return null;
}
