import { reason } from '../../evidence/reasons/catalogue.ts';
import { expect, test } from 'vitest';
import type { Tree, TreeEntry } from '../../task/tree/walk.ts';
import { changedAfter, disallowedChanges, vouchFor } from './changes.ts';
import { compareTrees } from '../../task/tree/compare.ts';

const file = (path: string, sha256 = 'a', executable = false): TreeEntry => ({
  kind: 'file',
  path: Buffer.from(path),
  executable,
  sha256,
  bytes: 1,
  ctimeMs: 5,
});
const link = (path: string, target: string): TreeEntry => ({
  kind: 'link',
  path: Buffer.from(path),
  target: Buffer.from(target),
  ctimeMs: 5,
});
const dir = (path: string): TreeEntry => ({ kind: 'dir', path: Buffer.from(path), ctimeMs: 5 });
const tree = (...entries: TreeEntry[]): Tree => ({
  entries: new Map(entries.map((entry) => [entry.path.toString('latin1'), entry])),
  faults: [],
});
const changed = (before: Tree, after: Tree): string[] => compareTrees(before, after).map(({ path }) => path.toString());

test('contents, kind, link target and the executable bit count as changes; directories do not', () => {
  expect(
    changed(
      tree(file('a'), file('b'), file('c'), link('d', 'x')),
      tree(file('a', 'other'), file('b', 'a', true), link('c', 'y'), link('d', 'z')),
    ),
  ).toEqual(['a', 'b', 'c', 'd']);
  expect(changed(tree(file('a')), tree(file('a'), dir('new')))).toEqual([]);
});

test('when a file becomes a directory, the file is deleted and the directory content is new', () => {
  expect(
    compareTrees(tree(file('a')), tree(dir('a'), file('a/b'))).map(({ path, after }) => [
      path.toString(),
      after === null,
    ]),
  ).toEqual([
    ['a', true],
    ['a/b', false],
  ]);
});

const contract = (allowed_files: string[], sealed = true) => ({
  allowed_files,
  protected_files: [],
  sealed_tests: sealed ? { sha256: '0'.repeat(64), bytes: 1 } : null,
});
const touched = compareTrees(
  tree(),
  tree(file('src/a.py'), file('.env'), file('tests/test_a.py'), file('testsuite.py')),
);

test('only paths that the globs allow may change, and never the directory of sealed tests', () => {
  expect(disallowedChanges(touched, contract(['src/**']))).toEqual(['.env', 'tests/test_a.py', 'testsuite.py']);
  expect(disallowedChanges(touched, contract(['**']))).toEqual(['tests/test_a.py']);
  expect(disallowedChanges(touched, contract(['**'], false))).toEqual([]);
  expect(disallowedChanges(touched, contract([]))).toHaveLength(4);
});

test('a change that is refused is not allowed by any glob', () => {
  const refused = new Set(touched.filter(({ path }) => path.toString() === '.env'));
  expect(disallowedChanges(touched, contract(['**'], false), refused)).toEqual(['.env']);
});

test('finds paths that changed after the deadline', () => {
  expect(changedAfter(tree(file('a')), 4)).toEqual(['a']);
  expect(changedAfter(tree(file('a')), 5)).toEqual([]);
});

const BEFORE = tree(file('a'), file('d/x'), file('d/y'), file('e/z'));
const vouched = (after: Tree, ...faults: string[]): [seen: string[], storable: string[]] => {
  const walked = {
    ...after,
    faults: faults.map((path) => ({ path: Buffer.from(path), reason: reason('device_in_tree', { path }) })),
  };
  const { seen, storable } = vouchFor(compareTrees(BEFORE, walked), walked);
  return [seen.map(({ path }) => path.toString()), storable.map(({ path }) => path.toString())];
};

test('paths below an unreadable directory are not reported as removed', () => {
  expect(vouched(tree(file('a', 'b'), dir('d'), file('e/z')), 'd')).toEqual([['a'], ['a']]);
  expect(vouched(tree(file('a'), dir('d'), file('d/x', 'b'), file('e/z')), 'd/y')).toEqual([['d/x', 'd/y'], ['d/x']]);
});

test('paths below a new link are removed, and neither the link nor a device is stored', () => {
  expect(vouched(tree(file('a'), link('d', '/etc'), file('e/z')), 'd')).toEqual([
    ['d', 'd/x', 'd/y'],
    ['d/x', 'd/y'],
  ]);
  expect(vouched(tree(file('d/x'), file('d/y'), file('e/z')), 'a')).toEqual([['a'], []]);
});

test('in a tree that was read only in part, only files seen on both sides count', () => {
  expect(vouched(tree(file('a', 'b'), file('new')), '')).toEqual([['a'], ['a']]);
});
