import { readFileSync, writeFileSync } from 'node:fs';
import { EntryTable } from '../../task/tree/layered/entry-table.ts';
import { LayeredEntries } from '../../task/tree/layered/layered-entries.ts';
import type { Tree } from '../../task/tree/walk.ts';

/** Keeps what a walk found, without change times. */
export function writeWalk(file: string, { entries }: Tree): void {
  writeFileSync(file, EntryTable.of(entries).write());
}

/** The file must be known to be as it was written. */
export function readWalk(file: string): Tree {
  return { entries: new LayeredEntries(EntryTable.read(readFileSync(file))), faults: [] };
}
