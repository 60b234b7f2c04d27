import { expect, test } from 'vitest';
import { type RestoredFile, silencedTests } from './silenced.ts';

const ID = 'tests/test_slug.py::test_spaces';
const FILE = 'tests/test_slug.py';
const changed = (path: string): RestoredFile => ({ kind: 'file', path, removed: false });
const facts = {
  unfixed: [{ id: ID, file: FILE }],
  restored: [changed(FILE)],
  shown: { seen: [], sound: true, exitCode: 0 },
  silentCommand: null,
} as const;
const shown = (outcome: 'passed' | 'skipped' | 'failed') => ({
  seen: [{ id: ID, file: FILE, outcome }],
  sound: true,
  exitCode: 0,
});
const textsOf = (given: Parameters<typeof silencedTests>[0]): string[] => silencedTests(given).map(({ text }) => text);

test.each([
  ['no longer reported', facts.shown, `failing tests were removed from ${FILE}, not fixed: ${ID}`],
  ['skipped', shown('skipped'), `failing tests are skipped in ${FILE}, not fixed: ${ID}`],
  ['passing', shown('passed'), `failing tests pass only as changed in ${FILE}: ${ID}`],
  [
    'in a run that breaks off',
    { ...facts.shown, sound: false },
    `the changed tests do not run to their end: ${FILE} (${ID})`,
  ],
])('a failing test that the patch leaves %s is named with its file', (_what, run, text) => {
  expect(textsOf({ ...facts, shown: run })).toEqual([text]);
});

test.each([
  ['file', FILE, FILE],
  ['package', 'example.org/slug', 'tests/helper_test.go'],
])('a test whose %s does not load with the patch is not called removed', (what, id, file) => {
  const seen = [{ id, file, outcome: 'error' as const }];
  const own = what === 'file' ? ID : 'example.org/slug::TestSpaces';
  expect(
    textsOf({ ...facts, unfixed: [{ id: own, file: FILE }], shown: { ...facts.shown, seen, exitCode: 1 } }),
  ).toEqual([`the changed tests do not run to their end: ${FILE} (${own})`]);
});

test('a removed test beside one whose set-up fails is called removed', () => {
  const seen = [{ id: `${FILE}::test_other`, file: FILE, outcome: 'error' as const }];
  expect(textsOf({ ...facts, shown: { ...facts.shown, seen, exitCode: 1 } })).toEqual([
    `failing tests were removed from ${FILE}, not fixed: ${ID}`,
  ]);
});

test('a deleted test file is named, also where no run was possible without it', () => {
  const restored: RestoredFile[] = [{ kind: 'file', path: FILE, removed: true }];
  const text = `failing tests were removed from ${FILE}, not fixed: ${ID}`;
  for (const sound of [true, false])
    expect(textsOf({ ...facts, restored, shown: { ...facts.shown, sound } })).toEqual([text]);
});

test('a helper that keeps tests of other files from failing is named with them', () => {
  expect(textsOf({ ...facts, restored: [changed('tests/same.py')], shown: shown('passed') })).toEqual([
    `only a change of what tests use keeps them from failing: tests/same.py (${ID})`,
  ]);
});

test('a command that reports no tests is named in their place', () => {
  const given = { ...facts, unfixed: [], restored: [changed('check.sh')], silentCommand: 'sh check.sh' };
  expect(textsOf(given)).toEqual(['only a change of what tests use keeps them from failing: check.sh (sh check.sh)']);
  expect(textsOf({ ...given, shown: { ...facts.shown, exitCode: 1 } })).toEqual([]);
});

test('settings that were kept from the base are named by key', () => {
  const restored: RestoredFile[] = [{ kind: 'settings', path: 'package.json', keys: ['scripts.test'] }];
  expect(textsOf({ ...facts, restored, shown: null })).toEqual([
    'the patch changes settings of the tests: package.json (scripts.test)',
  ]);
});

test('tests that still fail as the patch has them were not silenced', () => {
  expect(textsOf({ ...facts, shown: shown('failed') })).toEqual([]);
});

test('of many tests only the first are named', () => {
  const unfixed = [1, 2, 3, 4, 5].map((n) => ({ id: `${FILE}::test_${n}`, file: FILE }));
  expect(textsOf({ ...facts, unfixed })[0]).toMatch(/test_1, \S+test_2, \S+test_3 and 2 more$/);
});
