import picomatch from 'picomatch';
import { pathText } from '../../kernel/path-text.ts';
import type { Contract } from '../../task/contract.ts';
import { dirsAbove, type Tree, type TreeEntry } from '../../task/tree/walk.ts';

export type Leaf = Exclude<TreeEntry, { kind: 'dir' }>;

/** One path that differs between two trees. A side is null where the path is not there (a folder counts as nothing). */
export interface Change {
  readonly path: Buffer;
  readonly before: Leaf | null;
  readonly after: Leaf | null;
}

/** What differs between two walks: contents, kind and the executable bit. Pure: the walks are the evidence. */
export function compareTrees(before: Tree, after: Tree): Change[] {
  const changes: Change[] = [];
  for (const key of new Set([...before.entries.keys(), ...after.entries.keys()])) {
    const old = leaf(before.entries.get(key));
    const now = leaf(after.entries.get(key));
    const path = (now ?? old)?.path;
    if (path !== undefined && !sameLeaf(old, now)) changes.push({ path, before: old, after: now });
  }
  return changes.sort((a, b) => Buffer.compare(a.path, b.path));
}

function leaf(entry: TreeEntry | undefined): Leaf | null {
  return entry === undefined || entry.kind === 'dir' ? null : entry;
}

function sameLeaf(a: Leaf | null, b: Leaf | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.sha256 === b.sha256 && a.executable === b.executable;
  if (a.kind === 'link' && b.kind === 'link') return a.target.equals(b.target);
  return false;
}

/** What can be said of changes to a tree that was walked with faults. */
export interface Vouched {
  /** Really seen. What lies below an unreadable place may have changed or not; of a tree cut short, absence shows nothing. */
  readonly seen: readonly Change[];
  /** Those whose content can be stored: neither devices nor links out. */
  readonly storable: readonly Change[];
}

export function vouchFor(changes: readonly Change[], { faults, entries }: Tree): Vouched {
  if (faults.length === 0) return { seen: changes, storable: changes };
  const places = new Set(faults.map(({ path }) => path.toString('latin1')));
  const cutShort = places.has('');
  // A link was seen for what it is: what lay below it before is gone.
  const closed = new Set([...places].filter((place) => entries.get(place)?.kind !== 'link'));
  const isBelow = (path: string): boolean => dirsAbove(path).some((dir) => closed.has(dir));
  const seen = changes.filter(
    ({ path, before, after }) =>
      !isBelow(path.toString('latin1')) && (!cutShort || (before !== null && after !== null)),
  );
  return { seen, storable: seen.filter(({ path }) => !places.has(path.toString('latin1'))) };
}

/**
 * The changed paths that are not allowed, as texts: those that the contract leaves out, and `refused` ones whatever it says. Where tests
 * are sealed, their folder is never the engine's.
 */
export function disallowedChanges(
  changes: readonly Change[],
  contract: Pick<Contract, 'allowed_files' | 'protected_files' | 'sealed_tests'>,
  refused: ReadonlySet<Change> = new Set(),
): string[] {
  const allowed = matcher(contract.allowed_files);
  const guarded = matcher([
    ...contract.protected_files,
    ...(contract.sealed_tests === null ? [] : ['tests', 'tests/**']),
  ]);
  const mayChange = (name: string): boolean => allowed(name) && !guarded(name);
  return changes
    .filter((change) => refused.has(change) || !mayChange(change.path.toString('utf8')))
    .map(({ path }) => pathText(path));
}

function matcher(globs: readonly string[]): (name: string) => boolean {
  // Names may hold line breaks, which `.` of a pattern must match too.
  return globs.length === 0 ? () => false : picomatch([...globs], { dot: true, flags: 's' });
}

/** Paths whose change time lies after the moment the engine's time was up: nobody was allowed to write any more. */
export function changedAfter(tree: Tree, deadlineMs: number): string[] {
  return [...tree.entries.values()].filter((entry) => entry.ctimeMs > deadlineMs).map((entry) => pathText(entry.path));
}
