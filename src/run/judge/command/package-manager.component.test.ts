import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesOf } from './base-files.fixture.ts';
import { keepScripts } from './base-files.ts';
import { readTestPlan } from './plan.ts';
import { judgeCopies } from '../judge-copies.fixture.ts';

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'scripts-'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

const packageOf = (scripts: Readonly<Record<string, string>> | null): Record<string, string> =>
  scripts === null ? {} : { 'package.json': JSON.stringify({ scripts }) };
/** The only call that a command stands for; null: it is missing. */
function read(text: string, scripts: Readonly<Record<string, string>> | null): unknown {
  const plan = readTestPlan(text, filesOf(packageOf(scripts)));
  if (plan.kind === 'missing') return null;
  if (plan.kind === 'script') return plan.command;
  return plan.kind === 'steps' && plan.steps.length === 1 ? plan.steps[0]?.command : plan;
}
const shell = (text: string) => ({ runner: 'script', program: 'sh', args: ['-c', text], alsoStarts: ['node'] });
/** The directory, runner and words of every part. */
function parts(text: string, files: Readonly<Record<string, string>>): unknown {
  const plan = readTestPlan(text, filesOf(files));
  if (plan.kind !== 'steps') return plan;
  return plan.steps.map(({ command, text: shown }) => [command.dir ?? '', command.runner, shown]);
}

test('a known runner behind npm is called directly', () => {
  expect(read('npm test', { test: 'node --test tests/' })).toEqual({
    runner: 'node-test',
    program: 'node',
    args: ['tests/'],
  });
  expect(read('npm test -- a.test.js', { test: 'vitest run --coverage' })).toEqual({
    runner: 'vitest',
    program: 'node',
    args: ['--coverage', 'a.test.js'],
  });
  expect(read('npm test', { test: 'npm run unit', unit: 'jest' })).toEqual({
    runner: 'jest',
    program: 'node',
    args: [],
  });
  expect(read('yarn jest', { test: 'x' })).toEqual({ runner: 'jest', program: 'node', args: [] });
  expect(read('yarn jest', { jest: 'jest --ci' })).toEqual({ runner: 'jest', program: 'node', args: ['--ci'] });
  expect(read('npm test', { test: 'npm test' })).toMatchObject({ runner: 'script' });
  expect(read('yarn run unit', { unit: 'pytest -q' })).toEqual({ runner: 'pytest', program: 'python3', args: ['-q'] });
});

test('any other script runs through sh, with its neighbours and further words', () => {
  expect(read('npm t', { test: 'lab' })).toEqual(shell('lab'));
  expect(read("pnpm run check -- 'a b'", { check: 'lint' })).toEqual(shell("lint 'a b'"));
  expect(read('npm test', { pretest: 'build', test: 'lab', posttest: 'clean' })).toEqual(
    shell('build && lab && clean'),
  );
  expect(read('npm test', { test: 'true' })).toEqual(shell('true'));
});

test('what runs before and after a known runner stays', () => {
  const scripts = { pretest: 'npm run build', build: 'tsc -p . && echo built', test: 'node --test', posttest: 'clean' };
  const files = packageOf(scripts);
  expect(parts('npm test', files)).toEqual([
    ['', 'script', 'tsc -p .'],
    ['', 'node-test', 'node --test'],
    ['', 'script', 'clean'],
  ]);
  expect(parts('npm test --ignore-scripts', files)).toEqual([['', 'node-test', 'node --test']]);
});

const WORKSPACE = {
  'package.json': JSON.stringify({ workspaces: ['packages/*', '!packages/old'], scripts: { test: 'npm test -ws' } }),
  'packages/a/package.json': JSON.stringify({ name: '@x/a', scripts: { test: 'vitest run' } }),
  'packages/b/package.json': JSON.stringify({ name: 'b', scripts: { test: 'cd src && node --test' } }),
  'packages/c/package.json': JSON.stringify({ name: 'c' }),
  'packages/old/package.json': JSON.stringify({ scripts: { test: 'jest' } }),
  'tools/package.json': JSON.stringify({ scripts: { test: 'jest' } }),
};
const A = ['packages/a', 'vitest', 'vitest run'];
const B = ['packages/b/src', 'node-test', 'node --test'];

test.each([
  ['npm test --workspaces --if-present', [A, B]],
  ['npm run test -ws --if-present', [A, B]],
  ['npm test -w @x/a', [A]],
  ['npm test --workspace=packages/b', [B]],
  ['npm -w b -w @x/a run test', [A, B]],
  ['npm --prefix packages/a test', [A]],
  ['npm test --prefix=packages/b', [B]],
  ['pnpm -r test', [A, B]],
  ['pnpm -r --workspace-concurrency 1 run test', [A, B]],
  ['pnpm --filter @x/a test', [A]],
  ['pnpm --filter "./packages/*" test', [A, B]],
  ['pnpm --filter "!b" -r test', [A]],
  ['pnpm -C packages/a test', [A]],
  ['yarn workspaces foreach -A run test', [A, B]],
  ['yarn workspaces foreach --all --exclude b run test', [A]],
  ['yarn workspaces run test', [A, B]],
  ['yarn workspace b test', [B]],
  ['yarn --cwd packages/a test', [A]],
  ['cd packages/a && npm test && cd ../b && npm test', [A, B]],
])('%s runs in the packages it names', (text, expected) => {
  expect(parts(text, WORKSPACE)).toEqual(expected);
});

test('packages without the script count for npm, and a workspace that is not there too', () => {
  expect(parts('npm test -ws', WORKSPACE)).toEqual({
    kind: 'missing',
    what: 'no script named test in packages/c/package.json',
  });
  expect(parts('npm test -w nowhere', WORKSPACE)).toEqual({
    kind: 'missing',
    what: 'no package of the workspace matches: npm test -w nowhere',
  });
});

test('pnpm-workspace.yaml names packages', () => {
  const files = {
    ...WORKSPACE,
    'package.json': '{}',
    'pnpm-workspace.yaml': 'packages:\n  - "packages/*" # all\n  - \'!packages/old\'\n',
  };
  expect(parts('pnpm -r test', files)).toEqual([A, B]);
});

test('selections that need more than names are left to pnpm', () => {
  expect(parts('pnpm --filter "a..." test', WORKSPACE)).toMatchObject({ kind: 'script', command: { program: 'pnpm' } });
});

test('run-s runs scripts by their names', () => {
  const files = packageOf({ test: 'run-s build test:*', build: 'tsc', 'test:a': 'jest', 'test:b': 'vitest run' });
  expect(parts('npm test', files)).toEqual([
    ['', 'script', 'tsc'],
    ['', 'jest', 'jest'],
    ['', 'vitest', 'vitest run'],
  ]);
});

test('no such script is no command; other requests are left alone', () => {
  expect(read('npm test', {})).toBeNull();
  expect(read('npm test', null)).toBeNull();
  expect(read('npm ci', { ci: 'x' })).toEqual({ runner: 'script', program: 'npm', args: ['ci'] });
  expect(read('make test', null)).toEqual({ runner: 'script', program: 'make', args: ['test'] });
});

test('configuration of the package manager has no say, and programs of the tree are found', async () => {
  const files = {
    '.npmrc': 'script-shell=/bin/true\n',
    'package.json': '{"scripts": {"test": "checker && false"}}',
    'node_modules/.bin/checker': '#!/usr/bin/env node\nconsole.log("checked")\n',
  };
  const result = await judgeCopies({ tree: files, tests: null }, { testCommand: 'npm test', isolation: 'in_process' });
  expect(result, result.output).toMatchObject({
    verdict: 'fail',
    faults: [{ code: 'tests_failed' }],
    seen: [{ id: 'npm test', outcome: 'failed' }],
  });
  expect(result.output).toContain('checked');
});

test('a patch does not decide what its tests are', async () => {
  const tests = { 'a.test.mjs': "import { test } from 'node:test';\ntest('no', () => { throw new Error(); });\n" };
  const patched = { 'package.json': JSON.stringify({ scripts: { test: 'true' } }) };
  writeFileSync(join(tree, 'package.json'), JSON.stringify({ scripts: { test: 'node --test' } }));
  const before = keepScripts(tree, join(tree, 'kept'));
  const call = { testCommand: 'npm test', isolation: 'in_process' } as const;
  expect(await judgeCopies({ tree: patched, tests }, call)).toMatchObject({ verdict: 'pass' });
  expect(await judgeCopies({ tree: patched, tests }, { ...call, scriptsIn: before })).toMatchObject({
    verdict: 'fail',
    faults: [{ code: 'tests_failed' }],
  });
});
