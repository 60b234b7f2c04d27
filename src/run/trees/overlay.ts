import { type Overlay, OverlaySpace } from '../../confine/overlay/space.ts';
import type { UserIdentity } from '../../confine/processes/identity.ts';
import type { Tree, WalkOptions } from '../../task/tree/walk.ts';
import type { RunEnvironment } from '../request.ts';
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

/**
 * A base that can be changed without being copied. `place`: where the changes are kept. Null: copies were asked for, or this machine cannot
 * mount such a thing.
 */
export async function overlayIn(
  { confine, workspace, tools }: Pick<RunEnvironment, 'confine' | 'workspace' | 'tools'>,
  cached: CachedBase | null,
  { place, withGit }: { readonly place: string; readonly withGit: boolean },
): Promise<OverlaidBase | null> {
  if (cached === null || confine === 'none' || workspace === 'copy') return null;
  const space = await OverlaySpace.open(tools.path, cached.owner);
  if (space === null) return null;
  const layers = [...(withGit ? [cached.gitParent] : []), cached.dir];
  const overlay = await space.mount(place, layers);
  space.addLayer(cached.dir);
  if (overlay !== null) return { space, overlay, owner: cached.owner };
  space.close();
  return null;
}
