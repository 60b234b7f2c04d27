import { dirsAbove, type TreeEntry } from '../walk.ts';
import { LayeredEntries } from './layered-entries.ts';

type Entries = ReadonlyMap<string, TreeEntry>;
type Row = readonly [string, TreeEntry];

// What is asked of all entries of a tree, without making them all where the tree is a table with changes. Rows are in no order.

/** Those at whose paths two trees may differ; null: any. */
export function keysThatDiffer(one: Entries, other: Entries): ReadonlySet<string> | null {
  if (one === other) return new Set();
  if (!(one instanceof LayeredEntries) || !(other instanceof LayeredEntries) || one.table !== other.table) return null;
  return new Set([...one.changes.keys(), ...other.changes.keys()]);
}

/**
 * At least the entries whose paths hold a match of the pattern, which has to allow for a path's NUL in the place of `/`, two of them before
 * it and two after it.
 */
export function rowsMatching(entries: Entries, pattern: RegExp): Iterable<Row> {
  if (!(entries instanceof LayeredEntries)) return entries;
  return withChanges(entries, entries.table.matching(pattern));
}

/** The entries of these names, in whatever directory. */
export function rowsNamed(entries: Entries, names: readonly string[]): readonly Row[] {
  if (names.length === 0) return [];
  const wanted = new Set(names);
  const any = names.map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)).join('|');
  const rows = rowsMatching(entries, new RegExp(String.raw`\0(?:${any})\0\0`));
  return [...rows].filter(([key]) => wanted.has(key.slice(key.lastIndexOf('/') + 1)));
}

/** The paths of files and links, files first. */
export function leafKeys(entries: Entries): readonly string[] {
  if (entries instanceof LayeredEntries) {
    const { table, changes } = entries;
    const isSame = (key: string): boolean => !changes.has(key);
    const fresh = [...changes].flatMap(([key, entry]) => (entry === null ? [] : [{ key, kind: entry.kind }]));
    const ofKind = (kind: TreeEntry['kind']): string[] => fresh.flatMap((one) => (one.kind === kind ? [one.key] : []));
    const { files, links } = table.leafKeys;
    if (changes.size === 0) return [...files, ...links];
    return [...files.filter(isSame), ...ofKind('file'), ...links.filter(isSame), ...ofKind('link')];
  }
  const rows = [...entries];
  const ofKind = (kind: TreeEntry['kind']): string[] => rows.flatMap(([key, one]) => (one.kind === kind ? [key] : []));
  return [...ofKind('file'), ...ofKind('link')];
}

/** Tells whether a file or link lies below a directory. */
export function leafFinder(entries: Entries): (dir: string) => boolean {
  if (entries instanceof LayeredEntries) return (dir) => hasLeafBelow(entries, dir);
  const inUse = new Set<string>();
  for (const [key, { kind }] of entries) if (kind !== 'dir') for (const dir of dirsAbove(key)) inUse.add(dir);
  return (dir) => inUse.has(dir);
}

function hasLeafBelow({ table, changes }: LayeredEntries, dir: string): boolean {
  for (const [key, entry] of changes)
    if (entry !== null && entry.kind !== 'dir' && key.startsWith(`${dir}/`)) return true;
  const top = table.find(dir);
  for (let at = top ?? 0, end = top === null ? 0 : table.endOf(top); at < end; at += 1)
    if (table.entryAt(at).kind !== 'dir' && !changes.has(table.keyAt(at))) return true;
  return false;
}

export function hasEmptyDir(entries: Entries): boolean {
  if (entries instanceof LayeredEntries && entries.changes.size === 0) return entries.table.hasEmptyDir;
  const dirs = new Set([...entries].flatMap(([key, { kind }]) => (kind === 'dir' ? [key] : [])));
  for (const key of entries.keys()) dirs.delete(key.slice(0, Math.max(key.lastIndexOf('/'), 0)));
  return dirs.size > 0;
}

export function linkRows(entries: Entries): readonly Row[] {
  const rows = entries instanceof LayeredEntries ? withChanges(entries, entries.table.links()) : [...entries];
  return rows.filter(([, { kind }]) => kind === 'link');
}

/** At least the entries that are not as in the table: all others have no change time. */
export function rowsWithTimes(entries: Entries): Iterable<Row> {
  return entries instanceof LayeredEntries ? withChanges(entries, []) : entries;
}

/** The entry of a path and all below it. */
export function rowsBelow(entries: Entries, top: string): readonly Row[] {
  const isBelow = (key: string): boolean => key === top || key.startsWith(`${top}/`);
  if (!(entries instanceof LayeredEntries)) return [...entries].filter(([key]) => isBelow(key));
  const at = entries.table.find(top);
  const numbers = at === null ? [] : Array.from({ length: entries.table.endOf(at) - at }, (_, n) => at + n);
  return withChanges(entries, numbers).filter(([key]) => isBelow(key));
}

/** The entries with others at some paths; null: with none. In the order of a walk, or in that of bytes. */
export function withEntries(entries: Entries, changes: ReadonlyMap<string, TreeEntry | null>): Entries {
  if (changes.size === 0) return entries;
  if (entries instanceof LayeredEntries) return entries.with(changes);
  const all = [...new Map([...entries, ...changes])].filter((row): row is [string, TreeEntry] => row[1] !== null);
  // One character per byte, so that text sorts as bytes do.
  return new Map(all.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function withChanges({ table, changes }: LayeredEntries, numbers: Iterable<number>): Row[] {
  const rows: Row[] = [];
  for (const at of numbers) if (!changes.has(table.keyAt(at))) rows.push([table.keyAt(at), table.entryAt(at)]);
  for (const [key, entry] of changes) if (entry !== null) rows.push([key, entry]);
  return rows;
}
