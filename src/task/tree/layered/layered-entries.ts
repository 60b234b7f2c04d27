import type { TreeEntry } from '../walk.ts';
import { EntryTable, toOrder } from './entry-table.ts';

type Changes = ReadonlyMap<string, TreeEntry | null>;

/** The entries of a tree as a table of another one and what differs from it. Looks like a map of all entries, in the order of a walk. */
export class LayeredEntries implements ReadonlyMap<string, TreeEntry> {
  readonly table: EntryTable;
  /** What is not as in the table, by path; null: it is not there. */
  readonly changes: Changes;
  readonly size: number;

  constructor(table: EntryTable, changes: Changes = new Map()) {
    this.table = table;
    this.changes = changes;
    let { count: size } = table;
    for (const [key, entry] of changes) size += (entry === null ? 0 : 1) - (table.find(key) === null ? 0 : 1);
    this.size = size;
  }

  static of(entries: ReadonlyMap<string, TreeEntry>): LayeredEntries {
    return new LayeredEntries(EntryTable.of(entries));
  }

  /** The same with other entries at some paths; null: with none. */
  with(changes: Iterable<readonly [string, TreeEntry | null]>): LayeredEntries {
    const all = new Map(this.changes);
    for (const [key, entry] of changes)
      if (entry === null && this.table.find(key) === null) all.delete(key);
      else all.set(key, entry);
    return new LayeredEntries(this.table, all);
  }

  get(key: string): TreeEntry | undefined {
    const changed = this.changes.get(key);
    if (changed !== undefined) return changed ?? undefined;
    const at = this.table.find(key);
    return at === null ? undefined : this.table.entryAt(at);
  }

  has(key: string): boolean {
    const changed = this.changes.get(key);
    return changed === undefined ? this.table.find(key) !== null : changed !== null;
  }

  *entries(): MapIterator<[string, TreeEntry]> {
    const changed = [...this.changes].map(([key, entry]) => ({ key, order: toOrder(key), entry }));
    changed.sort((a, b) => (a.order < b.order ? -1 : 1));
    let at = 0;
    for (const { key, order, entry } of changed) {
      const place = this.table.placeOf(order);
      for (; at < place; at += 1) yield [this.table.keyAt(at), this.table.entryAt(at)];
      if (entry !== null) yield [key, entry];
      if (at < this.table.count && this.table.orderAt(at) === order) at += 1;
    }
    for (; at < this.table.count; at += 1) yield [this.table.keyAt(at), this.table.entryAt(at)];
  }

  *keys(): MapIterator<string> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<TreeEntry> {
    for (const [, entry] of this.entries()) yield entry;
  }

  [Symbol.iterator](): MapIterator<[string, TreeEntry]> {
    return this.entries();
  }

  forEach(visit: (entry: TreeEntry, key: string, all: ReadonlyMap<string, TreeEntry>) => void): void {
    for (const [key, entry] of this.entries()) visit(entry, key, this);
  }
}
