import picomatch from 'picomatch';
import { pathText } from '../../kernel/path-text.ts';
import type { Contract } from '../../task/contract.ts';
import type { Change } from '../../task/tree/compare.ts';
import { rowsWithTimes } from '../../task/tree/layered/search.ts';
import { dirsAbove, type Tree } from '../../task/tree/walk.ts';

/** The changes that can be established for a tree that was walked with faults. */
export interface Vouched {
  /** Observed changes: none below an unreadable directory and, if the walk stopped at a limit, no additions or deletions. */
  readonly seen: readonly Change[];
  /** The changes whose content can be stored: no devices, no links out of the tree. */
  readonly storable: readonly Change[];
}

export function vouchFor(changes: readonly Change[], { faults, entries }: Tree): Vouched {
  if (faults.length === 0) return { seen: changes, storable: changes };
  const places = new Set(faults.map(({ path }) => path.toString('latin1')));
  const cutShort = places.has('');
  // The link itself was read, so everything that was below the path before is gone.
  const closed = new Set([...places].filter((place) => entries.get(place)?.kind !== 'link'));
  const isBelow = (path: string): boolean => dirsAbove(path).some((dir) => closed.has(dir));
  const seen = changes.filter(
    ({ path, before, after }) =>
      !isBelow(path.toString('latin1')) && (!cutShort || (before !== null && after !== null)),
  );
  return { seen, storable: seen.filter(({ path }) => !places.has(path.toString('latin1'))) };
}

/**
 * The changed paths that are not allowed, as text: those outside the contract's list, and `refused` ones in any case. If tests
 * are sealed, an engine may never change their directory.
 */
export function disallowedChanges(
  changes: readonly Change[],
  contract: Pick<Contract, 'allowed_files' | 'protected_files' | 'sealed_tests' | 'judging'>,
  refused: ReadonlySet<Change> = new Set(),
): string[] {
  const allowed = matchGlobs(contract.allowed_files);
  const guarded = matchGlobs([
    ...contract.protected_files,
    // In a repository sealed tests are laid over the files of the patch, which may have tests of its own.
    ...(contract.sealed_tests === null || contract.judging !== undefined ? [] : ['tests', 'tests/**']),
  ]);
  const mayChange = (name: string): boolean => allowed(name) && !guarded(name);
  return changes
    .filter((change) => refused.has(change) || !mayChange(change.path.toString('utf8')))
    .map(({ path }) => pathText(path));
}

/** Tells whether one of the globs matches a path. */
export function matchGlobs(globs: readonly string[]): (name: string) => boolean {
  // Names may hold line breaks, which `.` of a pattern must match too.
  return globs.length === 0 ? () => false : picomatch([...globs], { dot: true, flags: 's' });
}

/** Paths that changed after the engine's deadline, when no process may write any more. */
export function changedAfter(tree: Tree, deadlineMs: number): string[] {
  return [...rowsWithTimes(tree.entries)]
    .filter(([, { ctimeMs }]) => ctimeMs > deadlineMs)
    .map(([, { path }]) => pathText(path));
}
