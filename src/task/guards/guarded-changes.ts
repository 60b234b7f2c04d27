import { hookSettings } from './base-guards.ts';
import { foldPath, GUARDED_WORD, isAmong, nameGuard } from './guarded-paths.ts';
import { type TreeLink, resolveLink } from '../tree/links.ts';
import { linkRows, rowsMatching } from '../tree/layered/search.ts';
import type { Tree } from '../tree/walk.ts';
import type { Change } from '../tree/compare.ts';

/** The facts that decide whether a change is forbidden to every engine. */
export interface GuardFacts {
  readonly before: Tree;
  readonly after: Tree;
  /** Paths that the repository's configuration guards; a trailing slash includes everything below. */
  readonly guarded: readonly string[];
  /** The text of a changed `package.json`, before and after; null: it does not exist. */
  readonly packageText: (change: Change, side: 'before' | 'after') => string | null;
}

/** Changes that no engine may make, whatever the contract allows: files that git or Seatrial would execute or read settings from on the host. */
export function guardedChanges(changes: readonly Change[], facts: GuardFacts): Change[] {
  const isGuardedName = nameGuard();
  const guarded = withTargets(new Set(facts.guarded.map(foldPath)), facts.before, isGuardedName);
  const isGuarded = (path: string): boolean => isGuardedName(path) || isAmong(foldPath(path), guarded);
  const leadsToGuarded = linkGuard(facts.after, { guarded, isGuarded, isGuardedName });
  const ofGitDirectory = gitDirectoryGuard(facts.after);
  return changes.filter((change) => {
    const path = textOf(change.path);
    if (isGuarded(path) || ofGitDirectory(path) || changesHooks(change, facts)) return true;
    return change.after?.kind === 'link' && leadsToGuarded(change.after);
  });
}

/** The paths that hold a match, as text. */
const textsMatching = (entries: Tree['entries'], pattern: RegExp): string[] =>
  [...rowsMatching(entries, pattern)].map(([, { path }]) => textOf(path)).filter((path) => pattern.test(path));

const textOf = (path: Buffer): string => path.toString('utf8');

/** Null: the link leads out of the tree, which is refused elsewhere, or is circular. */
function targetOf(link: TreeLink, entries: Tree['entries']): string | null {
  const target = resolveLink(link, entries, '/workspace');
  return target === null ? null : textOf(Buffer.from(target, 'latin1'));
}

/** A link of the base at a guarded path makes its target guarded as well. */
function withTargets(
  guarded: ReadonlySet<string>,
  { entries }: Tree,
  isGuardedName: (path: string) => boolean,
): ReadonlySet<string> {
  const all = new Set(guarded);
  const links = linkRows(entries).flatMap(([, entry]) => {
    const target = entry.kind === 'link' ? targetOf(entry, entries) : null;
    return target === null || target === '' ? [] : [{ path: foldPath(textOf(entry.path)), target: foldPath(target) }];
  });
  // A target may itself be behind a link, so repeat until nothing new is found.
  for (let known = -1; known !== all.size;) {
    known = all.size;
    for (const { path, target } of links) {
      if (isGuardedName(path) || isAmong(path, all)) all.add(`${target}/`);
      for (const one of all) if (one.startsWith(`${path}/`)) all.add(`${target}${one.slice(path.length)}`);
    }
  }
  return all;
}

interface Guards {
  readonly guarded: ReadonlySet<string>;
  readonly isGuarded: (path: string) => boolean;
  readonly isGuardedName: (path: string) => boolean;
}

/** Whether a new or changed link gives a guarded path another name, or another path a guarded name. */
function linkGuard({ entries }: Tree, { guarded, isGuarded, isGuardedName }: Guards): (link: TreeLink) => boolean {
  let around: ReadonlySet<string> | null = null;
  const dirsAround = (): ReadonlySet<string> => (around ??= dirsOfGuarded(entries, isGuardedName));
  const onTheWay = new Set([...guarded].flatMap((path) => dirsOf(path.replace(/\/$/, ''))));
  return (link) => {
    const path = foldPath(textOf(link.path));
    const target = targetOf(link, entries);
    if (target === null) return false;
    if (isGuarded(target) || onTheWay.has(path) || path === SHARED_DIR) return true;
    // A link to one of its own parent directories adds no path at which a guarded file takes effect.
    return !`${path}/`.startsWith(`${foldPath(target)}/`) && dirsAround().has(foldPath(target));
  };
}

function dirsOfGuarded(entries: Tree['entries'], isGuardedName: (path: string) => boolean): ReadonlySet<string> {
  const guarded = textsMatching(entries, GUARDED_WORD).filter(isGuardedName);
  return new Set(guarded.flatMap((path) => dirsOf(foldPath(path))));
}

/** Lefthook and hk read settings from this directory, under names that are not guarded elsewhere. */
const SHARED_DIR = '.config';

function dirsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, depth) => parts.slice(0, depth + 1).join('/'));
}

/** When called inside a directory that looks like a bare repository, git runs its hooks and reads its settings. */
function gitDirectoryGuard({ entries }: Tree): (path: string) => boolean {
  const heads = textsMatching(entries, /head|[\u0080-\uffff]/i);
  if (!heads.some((path) => foldPath(path).endsWith('/head'))) return () => false;
  const all = new Set([...entries.values()].map(({ path }) => foldPath(textOf(path))));
  const dirs = new Set(
    [...all]
      .filter((path) => path.endsWith('/head'))
      .map((path) => path.slice(0, -'/head'.length))
      .filter((dir) => all.has(`${dir}/commondir`) || (all.has(`${dir}/objects`) && all.has(`${dir}/refs`))),
  );
  if (dirs.size === 0) return () => false;
  return (path) => {
    const folded = foldPath(path);
    return dirsOf(folded).some((dir) => dirs.has(dir) && OBEYED.test(folded.slice(dir.length + 1)));
  };
}

const OBEYED = /^(?:head|commondir|gitdir|config(?:\.worktree)?|hooks\/.*|info\/attributes|modules\/.*)$/s;

function changesHooks(change: Change, { packageText }: GuardFacts): boolean {
  if (!/(?:^|\/)package\.json$/.test(foldPath(textOf(change.path)))) return false;
  return hookSettings(packageText(change, 'before')) !== hookSettings(packageText(change, 'after'));
}
