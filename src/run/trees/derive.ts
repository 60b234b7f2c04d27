import type { Confinement } from '../../confine/types.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { shareTree } from '../../task/tree/copy.ts';
import { walkOver } from '../../task/tree/layered/walk-over.ts';
import { type Tree, type WalkedTree, walkTree } from '../../task/tree/walk.ts';

/**
 * Another tree of the same files, to be changed: laid over those of the first where the confinement can mount that, sharing files with it
 * otherwise. Neither must be changed once a third is derived from it. `place`: a directory that is not there yet. Gives where the tree is.
 */
export async function deriveTree({ space }: Pick<Confinement, 'space'>, from: string, place: string): Promise<string> {
  const layers = space?.layersOf(from) ?? null;
  if (space === null || layers === null) {
    shareTree(from, place);
    return place;
  }
  const overlay = await space.mount(place, layers);
  if (overlay === null) throw new SeatrialError('blocked', `no overlay can be mounted at ${place}`);
  return overlay.view;
}

/** Walks a tree that was derived from one that was walked: only what was changed is read. */
export function walkDerived({ space }: Pick<Confinement, 'space'>, dir: string, from: WalkedTree): Tree {
  const [layers, below] = [space?.layersOf(dir) ?? null, space?.layersOf(from.dir) ?? null];
  const isOver = layers !== null && below !== null && layers.slice(-below.length).join('\0') === below.join('\0');
  if (!isOver) return walkTree(dir, { skipTopGit: true, sharing: from });
  const changes = layers.slice(0, -below.length);
  return walkOver(dir, { skipTopGit: true, over: { entries: from.tree.entries, changes } });
}

/** What a walk of a cached base, or of a tree that was derived from it, finds. */
export const baseTreeOf = (confinement: Pick<Confinement, 'space'>, dir: string, base: WalkedTree): Tree =>
  dir === base.dir ? base.tree : walkDerived(confinement, dir, base);
