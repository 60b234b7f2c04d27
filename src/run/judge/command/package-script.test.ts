import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readTestCommand } from './read.ts';
import { keepScripts, withoutPackageManager } from './package-script.ts';
import { judgeCopies } from '../judge-copies.fixture.ts';

let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'scripts-'));
});
afterEach(() => rmSync(tree, { recursive: true, force: true }));

function read(text: string, scripts: Readonly<Record<string, string>> | null) {
  if (scripts !== null) writeFileSync(join(tree, 'package.json'), JSON.stringify({ scripts }));
  const command = readTestCommand(text);
  return command === null ? null : withoutPackageManager(command, tree);
}
const shell = (text: string) => ({ runner: 'script', program: 'sh', args: ['-c', text], alsoStarts: ['node'] });

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
  expect(read('npm t', { test: 'mocha' })).toEqual(shell('mocha'));
  expect(read("pnpm run check -- 'a b'", { check: 'lint' })).toEqual(shell("lint 'a b'"));
  expect(read('npm test', { pretest: 'build', test: 'node --test', posttest: 'clean' })).toEqual(
    shell('build && node --test && clean'),
  );
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
    faults: ['tests failed'],
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
    faults: ['tests failed'],
  });
});
