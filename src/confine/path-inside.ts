import type { Confinement, Mount } from './types.ts';

/**
 * Translates a path below a mount target to the path that a command sees: the same path, or its source where nothing is mounted.
 */
export function pathInside({ kind }: Pick<Confinement, 'kind'>, target: string, mounts: readonly Mount[]): string {
  if (kind === 'bubblewrap') return target;
  const nearest = mounts
    .filter((mount) => `${target}/`.startsWith(`${mount.target}/`))
    .reduce<Mount | null>((best, mount) => (mount.target.length > (best?.target.length ?? 0) ? mount : best), null);
  return nearest === null ? target : nearest.source + target.slice(nearest.target.length);
}
