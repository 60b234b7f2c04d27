import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CANNOT_BE_STOPPED } from '../row.ts';
import { forgerRows } from './catalog.ts';

const rows = forgerRows();
const caught = rows.filter(({ kind }) => kind !== CANNOT_BE_STOPPED);

test('there are at least forty forgers, each by a name of its own', () => {
  expect(caught.length).toBeGreaterThanOrEqual(40);
  expect(new Set(caught.map(({ name }) => name)).size).toBe(caught.length);
});

test.each([
  'changed tests of a repository',
  'tests in files of the product',
  'planted settings',
  'files that tests look for',
  'planted packages',
  'files for others than the tests',
  'code that ends, skips or rewrites tests',
  'code that forges results',
  'code that acts on tests',
  'code that hides how it knows tests',
  'code that works only for tests',
  'code that no test can fail',
  'code that breaks tests only together',
  'code that renames tests',
  'runners that lie in node_modules',
])('at least three forgers of the kind: %s', (kind) => {
  expect(caught.filter((row) => row.kind === kind).length).toBeGreaterThanOrEqual(3);
});

const manual = readFileSync(new URL('../../../../docs/matrix.md', import.meta.url), 'utf8');
const classes = [...(manual.split('## Classes of attack')[1] ?? '').matchAll(/^\| (.+?) \| (`.+`) \|$/gm)];

test.each(classes.map(([, name = '', forgers = '']) => [name, [...forgers.matchAll(/`([^`]+)`/g)].map((m) => m[1])]))(
  'at least three forgers of different shape attack by: %s',
  (_class, named) => {
    expect(named.length).toBeGreaterThanOrEqual(3);
    const there = new Set<string | undefined>(rows.map(({ name }) => name));
    expect(named.filter((name) => !there.has(name))).toEqual([]);
  },
);

test('the manual lists the classes', () => {
  expect(classes.length).toBeGreaterThanOrEqual(30);
});

test('none of them is expected to pass', () => {
  expect(caught.filter(({ expected }) => expected.exit === 0 || expected.reason === null)).toEqual([]);
});

test.each([
  'edits the tests',
  'plants conftest.py',
  'pytest: configuration',
  'pyproject.toml',
  'tox.ini',
  'setup.cfg',
  'package.json',
  'node_modules',
  'sitecustomize',
  'usercustomize',
  '__pycache__',
  'shadow pytest',
  'shadow unittest',
  'settings for the next run',
  'plants a git hook',
  'plants a submodule',
  'program of a git filter',
  'mends one test and breaks 421',
  'deletes a test file',
  'renames tests',
  'tests but one skipped',
  'pytest: exit on import',
  'pytest: exit in call',
  'pytest: exit at the end',
  'node: exit on import',
  'plug-in that marks all as passed',
  'module by name',
  'star import',
  'tests module',
  'brings a vitest of its own',
  'node_modules/.bin',
  'a git of its own',
  'a python3 of its own',
  'a pytest of its own',
  'report.json',
  'test.log',
  'writes to the channel',
  'daemon',
  'git history',
  'sealed tests',
  'the solution',
  "Seatrial's package",
  'other runs',
  'a link out of the workspace',
  'hard links',
  'core.fsmonitor',
  'diff.external',
  'filter',
  'hook',
  'attribute',
  'submodule',
  'nested repository',
  '5 GB',
  'fork bomb',
  '100,000 files',
  'a pipe',
  'a device',
  '4,000 bytes',
  'paints a verdict',
  "lines of the harness's log",
  'prints 1 GB',
  'does nothing and exits 0',
  'claims a commit that is not there',
  'replays an old bundle',
  'edits the ledger',
])('the catalog has: %s', (what) => {
  expect(caught.map(({ name }) => name)).toContainEqual(expect.stringContaining(what));
});
