import type { TargetPath } from './targets.ts';

/** What the record says of targets that cannot be reached. */
export function describeTargets(targets: readonly TargetPath[]): string {
  if (targets.length === 0) return 'no targets configured: this run is no evidence for stage 2 and above';
  const planted = targets.filter(({ given_by: by }) => by === 'harness').length;
  const own = targets.filter(({ given_by: by }) => by === 'settings').map(describeTarget);
  const yours = own.length === 0 ? 'no target_paths of yours' : own.join(', ');
  return `not reachable: ${yours}${planted === 0 ? '' : `, and ${planted} planted by the harness`}`;
}

const describeTarget = ({ path, shown_at: shown }: TargetPath): string =>
  shown.length === 0 ? `${path} (not on this machine)` : path;
