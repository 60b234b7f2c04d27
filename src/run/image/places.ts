import { posix } from 'node:path';
import { isWithin } from '../../kernel/path-text.ts';
import type { ImageTerms } from '../../task/image/terms.ts';

export type ImagePlace = ImageTerms['places'][number];

/** Directories of the system and of the sandbox itself: what lies there cannot be part of a workspace. */
const SYSTEM = new Set(
  'usr etc bin sbin lib lib32 lib64 libx32 var proc sys dev run boot tmp artifacts solution engine port provision judge build'.split(
    ' ',
  ),
);
/** The sandbox lays these out itself. */
const OF_THE_FAMILY = new Set(['tests', 'logs', 'oracle']);

const top = (path: string): string => path.split('/')[1] ?? '';

/** Directories that only the sandbox may lay out, or that come empty anyway. */
const isLaidOut = (path: string): boolean =>
  OF_THE_FAMILY.has(top(path)) || path === '/tmp' || path.startsWith('/tmp/');

/**
 * The fewest directories that hold all of these, each to be seen where the image has it. Several of them become directories of one
 * workspace. `why`: one of them belongs to the system.
 */
export function placesFor(dirs: readonly string[]): readonly ImagePlace[] | { readonly why: string } {
  const wanted = [...new Set(dirs.filter((dir) => !isLaidOut(dir)))].sort();
  const system = wanted.find((dir) => dir === '/' || SYSTEM.has(top(dir)));
  if (system !== undefined) return { why: `it puts files into ${system}` };
  return fewestDirs(wanted);
}

/** The same without asking whose they are. */
export function fewestDirs(dirs: readonly string[]): readonly ImagePlace[] {
  const wanted = [...new Set(dirs)].sort();
  const roots = wanted.filter((dir) => !wanted.some((other) => other !== dir && isWithin(dir, other)));
  return roots.length === 1 ? roots.map((at) => ({ dir: '', at })) : roots.map((at) => ({ dir: at.slice(1), at }));
}

/** Where a path of the image lies in the workspace; null: outside. */
export function inWorkspace(path: string, places: readonly ImagePlace[]): string | null {
  const place = places.find(({ at }) => isWithin(path, at));
  return place === undefined ? null : posix.join(place.dir, posix.relative(place.at, path));
}
