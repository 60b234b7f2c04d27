import { expect, test } from 'vitest';
import type { Tree, TreeEntry } from '../../../task/tree/walk.ts';
import { compareTrees } from '../../../task/tree/compare.ts';
import { broughtTestsFiles, broughtTools, isBrought, isTouched, newModules, type PatchFacts } from './patch-facts.ts';

const file = (path: string, sha256: string): [string, TreeEntry] => [
  path,
  { kind: 'file', path: Buffer.from(path, 'latin1'), executable: false, sha256, bytes: 1, ctimeMs: 0 },
];
const link = (path: string, target: string): [string, TreeEntry] => [
  path,
  { kind: 'link', path: Buffer.from(path), target: Buffer.from(target), ctimeMs: 0 },
];
const tree = (...entries: readonly [string, TreeEntry][]): Tree => ({ entries: new Map(entries), faults: [] });
const files = (paths: readonly string[], content = 'same'): [string, TreeEntry][] =>
  paths.map((path) => file(path, content));

function patch(before: readonly string[], added: readonly string[], changed: readonly string[] = []): PatchFacts {
  const base = tree(...files(before));
  const kept = before.filter((path) => !changed.includes(path));
  return { base, changes: compareTrees(base, tree(...files(kept), ...files(added), ...files(changed, 'other'))) };
}

test('a directory is brought when nothing of it was there before', () => {
  const facts = patch(['a/old', 'c'], ['a/new', 'b/new'], ['c']);
  expect(['a', 'a/new', 'b', 'b/new', 'c', 'd'].filter((path) => isBrought(facts, path))).toEqual([
    'a/new',
    'b',
    'b/new',
  ]);
  expect(['a', 'b', 'c', 'd', 'a/old'].filter((path) => isTouched(facts, path))).toEqual(['a', 'b', 'c']);
});

test('a removed file is a change, and nothing that was brought', () => {
  const base = tree(...files(['a/x', 'a/y']));
  const facts = { base, changes: compareTrees(base, tree(...files(['a/x']))) };
  expect([isTouched(facts, 'a'), isBrought(facts, 'a')]).toEqual([true, false]);
});

test('names that are no text hide nothing', () => {
  expect(isBrought(patch([], ['node_modules/vitest/\xff']), 'node_modules/vitest')).toBe(true);
  expect(isTouched(patch([], ['node_modules/\xff/x']), 'node_modules')).toBe(true);
});

test.each<[string, readonly string[]]>([
  ['node_modules/chai/index.js', ['node_modules/chai']],
  ['a/b/node_modules/@vitest/expect/dist/index.js', ['a/b/node_modules/@vitest/expect']],
  ['node_modules/.bin/mocha', ['node_modules/.bin/mocha']],
  ['node_modules/left-pad/index.js', []],
  ['hypothesis/__init__.py', ['hypothesis']],
  ['src/pytest.py', ['src/pytest.py']],
  ['pytest_asyncio/plugin.py', ['pytest_asyncio']],
  ['_pytest.cpython-311-x86_64-linux-gnu.so', ['_pytest.cpython-311-x86_64-linux-gnu.so']],
  ['evil-1.0.dist-info/entry_points.txt', ['evil-1.0.dist-info']],
  ['evil-1.0.dist-info/METADATA', []],
  ['pytest.ini', []],
  ['docs/hypothesis.md', []],
  ['mock.py', []],
])('%s brings the test tools %j', (path, tools) => {
  expect(broughtTools(patch(['README.md'], [path]))).toEqual(tools);
  expect(broughtTools(patch([path], [], [path]))).toEqual([]);
});

test('a link for node_modules brings all of what it leads to', () => {
  const base = tree();
  const changes = compareTrees(base, tree(link('node_modules', 'vendor'), ...files(['vendor/vitest/x.js'])));
  expect(broughtTools({ base, changes })).toEqual(['node_modules']);
});

test('only files at the top can be taken for the directory of tests', () => {
  const facts = patch(
    ['tests.json'],
    ['tests.py', 'tests.js', 'a/tests.js', 'tests/x.py', 'testsuite.py'],
    ['tests.json'],
  );
  expect(broughtTestsFiles(facts)).toEqual(['tests.js', 'tests.py']);
});

test('a module is new when the base had neither file nor directory for it', () => {
  const facts = patch(['a.py', 'b/c.py', 'größe/x.py'], []);
  expect(newModules(facts, ['a', 'b', 'c', 'd'], [''])).toEqual(['c', 'd']);
  expect(newModules(facts, ['a', 'b', 'c', 'd'], ['', 'b'])).toEqual(['d']);
  const named = patch([Buffer.from('größe/x.py').toString('latin1')], []);
  expect(newModules(named, ['a', 'x'], ['größe'])).toEqual(['a']);
});
