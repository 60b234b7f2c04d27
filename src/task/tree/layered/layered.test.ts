import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dirsAbove, type TreeEntry } from '../walk.ts';
import { compareTrees } from '../compare.ts';
import { EntryTable, toOrder } from './entry-table.ts';
import { LayeredEntries } from './layered-entries.ts';
import { hasEmptyDir, leafFinder, leafKeys, linkRows, rowsBelow, rowsMatching, rowsNamed } from './search.ts';

type Entries = ReadonlyMap<string, TreeEntry>;

const NAMES = ['a', 'b', 'a.b', 'A', '.git', '\x01', '\n', 'ÿ', 'package.json', 'a-b'];
const key = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

const entryAt = (path: string, what: number): TreeEntry => {
  const common = { path: Buffer.from(path, 'latin1'), ctimeMs: 0 };
  if (what % 4 === 0) return { kind: 'dir', ...common };
  if (what % 4 === 1) return { kind: 'link', ...common, target: Buffer.from(`t${what}`, 'latin1') };
  return { kind: 'file', ...common, executable: what % 2 === 0, bytes: what, sha256: `${what % 10}`.repeat(64) };
};

/** A tree as a walk gives it: in its order, and with every directory above an entry. */
const tree = fc.dictionary(key, fc.nat(30), { maxKeys: 12, noNullPrototype: true }).map((rows): Entries => {
  const all = new Map<string, TreeEntry>();
  for (const [path, what] of Object.entries(rows)) {
    all.set(path, entryAt(path, what));
    for (const dir of dirsAbove(path)) all.set(dir, entryAt(dir, 0));
  }
  return new Map([...all].toSorted(([a], [b]) => (toOrder(a) < toOrder(b) ? -1 : 1)));
});

/** One tree, laid over another as what differs. */
const layered = fc.record({ below: tree, all: tree }).map(({ below, all }) => {
  const gone = [...below.keys()].filter((one) => !all.has(one)).map((one) => [one, null] as const);
  return { all, below: LayeredEntries.of(below), over: LayeredEntries.of(below).with([...gone, ...all]) };
});

describe('a tree as a table and what differs from it', () => {
  test('is the map of its entries', () => {
    fc.assert(
      fc.property(layered, key, ({ all, over }, other) => {
        expect([...over]).toEqual([...all]);
        expect(over.size).toBe(all.size);
        for (const one of [...all.keys(), other]) {
          expect(over.get(one)).toEqual(all.get(one));
          expect(over.has(one)).toBe(all.has(one));
        }
      }),
    );
  });

  test('is the same when its table was written and read', () => {
    fc.assert(
      fc.property(tree, (all) => {
        const read = new LayeredEntries(EntryTable.read(EntryTable.of(all).write()));
        expect([...read]).toEqual([...all]);
        expect(hasEmptyDir(read)).toBe(hasEmptyDir(all));
      }),
    );
  });

  test('answers every search as a plain map does', () => {
    const sorted = (rows: Iterable<unknown>): unknown[] => [...rows].map(String).sort();
    fc.assert(
      fc.property(layered, key, ({ all, below, over }, top) => {
        expect(sorted(rowsBelow(over, top))).toEqual(sorted(rowsBelow(all, top)));
        expect(sorted(linkRows(over))).toEqual(sorted(linkRows(all)));
        expect(sorted(leafKeys(over))).toEqual(sorted(leafKeys(all)));
        expect(sorted(rowsNamed(over, ['.git', 'a.b']))).toEqual(sorted(rowsNamed(all, ['.git', 'a.b'])));
        expect(leafFinder(over)(top)).toBe(leafFinder(all)(top));
        expect(hasEmptyDir(over)).toBe(hasEmptyDir(all));
        const found = new Set([...rowsMatching(over, /b|\u00ff/)].map(([one]) => one));
        expect([...all.keys()].filter((one) => /b|\u00ff/.test(one) && !found.has(one))).toEqual([]);
        const faults = { faults: [] };
        const before = new Map(below);
        expect(compareTrees({ entries: below, ...faults }, { entries: over, ...faults })).toEqual(
          compareTrees({ entries: before, ...faults }, { entries: all, ...faults }),
        );
      }),
    );
  });
});
