import { isWithin } from '../../kernel/path-text.ts';
import type { Mount } from '../types.ts';

const depth = (path: string): number => path.split('/').filter((part) => part !== '').length;

/** Shows a path of this machine where it lies. */
const isInPlace = ({ source, target, mode }: Mount): boolean => mode === 'ro' && source === target;

/**
 * Outer ones first. Leaves out paths that a directory mounted in its own place has already: several tools ask for the same paths, and
 * bubblewrap cannot mount over a link that lies in such a directory.
 */
export function distinctMounts(mounts: readonly Mount[]): readonly Mount[] {
  const distinct: Mount[] = [];
  for (const mount of mounts.toSorted((a, b) => depth(a.target) - depth(b.target))) {
    const around = distinct.findLast(({ target }) => isWithin(mount.target, target));
    const isShown = around !== undefined && isInPlace(around) && (isInPlace(mount) || mount.mode === 'link');
    if (!isShown) distinct.push(mount);
  }
  return distinct;
}
