import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { OverlaySpace } from '../../confine/overlay/space.ts';
import type { UserIdentity } from '../../confine/processes/identity.ts';
import type { Confinement, Mount } from '../../confine/types.ts';
import type { Tree } from '../../task/tree/walk.ts';
import { decideSettings, type FoundSetting } from '../engine/settings/decide.ts';
import { baseTreeOf } from '../trees/derive.ts';
import type { ReviewedChange } from './shown.ts';

/** A tree that an engine sees read-only in its workspace, without being a part of it. */
export interface ShownTree {
  /** Of its directory in the workspace. */
  readonly name: string;
  readonly dir: string;
  readonly tree: Tree;
}

/** Trees of the run whose change is reviewed. It must not end before the review does. */
export interface ShownTrees {
  /** Where they are mounted, or were laid under what is. */
  readonly space: OverlaySpace;
  /** Root only: whom they belong to. */
  readonly owner: UserIdentity | null;
  readonly trees: readonly ShownTree[];
}

/** The names of the two trees of a change in the directory of its reviewer. */
export const BASE = 'base';
export const PATCHED = 'patched';

/**
 * The two trees of a change, for its reviewer to see as they are. Null: they have to be copied, because they are no overlays, or because the
 * reviewer would obey links in them, which nothing can be mounted over.
 */
export function treesToShow(
  confinement: Confinement,
  owner: UserIdentity | null,
  { base, baseDir, patchedDir }: ReviewedChange,
  obeyed: readonly string[],
): ShownTrees | null {
  const { space } = confinement;
  if (space === null || [baseDir, patchedDir].some((dir) => space.layersOf(dir) === null)) return null;
  // What the harness made of the patch belongs to the harness so far.
  confinement.give(patchedDir);
  const patched = baseTreeOf(confinement, patchedDir, { dir: baseDir, tree: base });
  const trees = [
    { name: BASE, dir: baseDir, tree: base },
    { name: PATCHED, dir: patchedDir, tree: patched },
  ];
  const isLinked = settingsInTrees(trees, obeyed).some(({ entry }) => entry.kind === 'link');
  return isLinked ? null : { space, owner, trees };
}

/** Makes the mount points in a workspace. */
export function mountsOfTrees(shown: ShownTrees | undefined, workspace: Mount): Mount[] {
  return (shown?.trees ?? []).map(({ name, dir }) => {
    mkdirSync(join(workspace.source, name));
    return { source: dir, target: `${workspace.target}/${name}`, mode: 'ro' };
  });
}

/** What an engine would obey of the trees that it is shown, at the paths where it would find it. */
export function settingsInTrees(trees: readonly ShownTree[], names: readonly string[]): readonly FoundSetting[] {
  const atAnyDepth = names.filter((name) => !name.startsWith('/'));
  return trees.flatMap(({ name, tree }) =>
    decideSettings(tree, atAnyDepth, {}).map(({ entry, setting }) => ({
      entry: { ...entry, path: Buffer.concat([Buffer.from(`${name}/`), entry.path]) },
      setting: { ...setting, path: `${name}/${setting.path}` },
    })),
  );
}
