import type { ObeyedSetting } from '../../../evidence/schema/repository-settings.ts';
import { pathText } from '../../../kernel/path-text.ts';
import { digestEntries } from '../../../task/tree/digest.ts';
import { toOrder } from '../../../task/tree/layered/entry-table.ts';
import { rowsBelow, rowsNamed } from '../../../task/tree/layered/search.ts';
import { dirsAbove, type Tree, type TreeEntry } from '../../../task/tree/walk.ts';

/** A file, directory or link of the base with settings that an engine would obey. */
export interface FoundSetting {
  readonly entry: TreeEntry;
  readonly setting: ObeyedSetting;
}

/**
 * Decides which settings of a repository its engine may see. `names` are file names at any depth, or at the root after a slash.
 * `admitted`: digests by path. Settings with a link in them are never shown, because the digest does not cover what it leads to.
 */
export function decideSettings(
  { entries }: Tree,
  names: readonly string[],
  admitted: Readonly<Record<string, string>>,
): readonly FoundSetting[] {
  const found: FoundSetting[] = [];
  const tops = new Set<string>();
  for (const [key, entry] of rowsAsNamed(entries, names)) {
    if (dirsAbove(key).some((dir) => tops.has(dir))) continue;
    tops.add(key);
    found.push({ entry, setting: judge(entry, membersOf(key, entries), admitted) });
  }
  return found;
}

/** In the order of a walk: a directory before what is in it. */
function rowsAsNamed(entries: Tree['entries'], names: readonly string[]): readonly (readonly [string, TreeEntry])[] {
  const atRoot = names.flatMap((name) => {
    const entry = name.startsWith('/') ? entries.get(name.slice(1)) : undefined;
    return entry === undefined ? [] : [[name.slice(1), entry] as const];
  });
  const anywhere = rowsNamed(
    entries,
    names.filter((name) => !name.startsWith('/')),
  );
  return [...new Map([...atRoot, ...anywhere])].toSorted(([a], [b]) => (toOrder(a) < toOrder(b) ? -1 : 1));
}

type Members = readonly (readonly [path: string, entry: TreeEntry])[];

/** The entry itself and all below it, by path relative to it. */
function membersOf(key: string, entries: Tree['entries']): Members {
  const rows = rowsBelow(entries, key).map(([path, entry]) => [path.slice(key.length + 1), entry] as const);
  return rows.toSorted(([a], [b]) => (toOrder(a) < toOrder(b) ? -1 : 1));
}

function judge(entry: TreeEntry, members: Members, admitted: Readonly<Record<string, string>>): ObeyedSetting {
  const path = pathText(entry.path);
  const sha256 = entry.kind === 'file' ? entry.sha256 : digestEntries(members);
  const files = members.filter(([, { kind }]) => kind !== 'dir').length;
  const known = Object.hasOwn(admitted, path) ? admitted[path] : undefined;
  const isLinked = members.some(([, { kind }]) => kind === 'link');
  const state = known === undefined ? 'not_admitted' : isLinked ? 'linked' : known === sha256 ? 'shown' : 'changed';
  return { path, sha256, files, state };
}
