import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pathsShowing } from '../../../confine/bwrap/mount-aliases.ts';
import type { NoTargetInspection } from '../../../evidence/schema/no-target.ts';
import type { Contract } from '../../../task/contract.ts';
import type { RunRequest } from '../../request.ts';

export type TargetPath = NoTargetInspection['targets'][number];

/** The configured targets, and the planted one. */
export function readTargets(configured: readonly string[], planted: string | null): TargetPath[] {
  const given = [
    ...configured.map((path) => ({ path, given_by: 'settings' }) as const),
    ...(planted === null ? [] : [{ path: planted, given_by: 'harness' } as const]),
  ];
  return given.map((target) => ({ ...target, shown_at: pathsShowing(target.path) }));
}

/** A directory with a target in it, to be mounted: without a mask, the engine would see what it holds. */
export function plantTarget(dir: string, nonce: string): { readonly dir: string; readonly target: string } {
  const target = join(dir, 'target');
  mkdirSync(target, { recursive: true, mode: 0o755 });
  writeFileSync(join(target, 'secret.txt'), `${nonce}\n`);
  return { dir, target };
}

/** Where the work comes from: a repository, or a task directory. */
export function copiedFrom({ taskDir }: RunRequest, { repository }: Contract): NoTargetInspection['copied_from'] {
  const places = repository === null ? [] : placesOfRepository(repository.path);
  return [
    ...[...new Set(places)].map((path) => ({ what: 'repository', path })),
    ...(taskDir === null ? [] : withRealPath('task directory', taskDir)),
  ];
}

function withRealPath(what: string, path: string): NoTargetInspection['copied_from'] {
  return [...new Set([path, ...pathsShowing(path)])].map((one) => ({ what, path: one }));
}

/** Every path at which this machine shows a repository; none for one on another machine. */
export function placesOfRepository(repository: string): readonly string[] {
  const path = asPath(repository);
  return path === null ? [] : [path, ...pathsShowing(path)];
}

/** Null: the repository is on another machine. */
function asPath(repository: string): string | null {
  if (!/^[a-z+]+:\/\//i.test(repository)) return repository;
  try {
    const url = new URL(repository);
    return url.protocol === 'file:' ? fileURLToPath(new URL(`file://${url.pathname}`)) : null;
  } catch {
    return null;
  }
}
