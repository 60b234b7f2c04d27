import { reason } from '../../../evidence/reasons/catalogue.ts';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { judgeCopies } from '../judge-copies.fixture.ts';
import type { JudgeRequest, JudgeResult } from '../types.ts';

type Files = Readonly<Record<string, string>>;

const EXIT_0 = '#!/bin/sh\nexit 0\n';
const COMES_WITH_THE_PATCH = reason('detail', {
  text: 'it comes with the patch; what runs the tests has to come from the base, the setup or this machine',
});
const CHANGED = reason('detail', { text: 'the patch changes node_modules, so nothing in it runs its tests' });
const leftOut = (...paths: string[]): string =>
  `left out of the tree, because only the patch brings it: ${paths.join(', ')}`;

/** Tests of the tree itself, unless others are given. */
function judged(
  testCommand: string,
  base: Files,
  patch: Files,
  terms: Partial<JudgeRequest> = {},
  tests: Files | null = null,
): Promise<JudgeResult> {
  return judgeCopies({ tree: { ...base, ...patch }, base, tests }, { testCommand, isolation: 'in_process', ...terms });
}

const fakeRunner = (name: string, entry: string): Files => ({
  [`node_modules/${name}/package.json`]: '{"version": "30.0.0"}',
  [`node_modules/${name}/${entry}`]: 'process.exit(0);\n',
  [`node_modules/.bin/${name}`]: EXIT_0,
});

describe('runners of node_modules', () => {
  const RUNNERS: [string, string][] = [
    ['vitest', 'vitest.mjs'],
    ['jest', 'bin/jest.js'],
    ['mocha', 'bin/mocha.js'],
    ['ava', 'entrypoints/cli.mjs'],
    ['tap', 'dist/esm/run.mjs'],
  ];

  test.each(RUNNERS)('%s that only the patch brings is not run', async (name, entry) => {
    for (const command of [`npx ${name}`, `node node_modules/${name}/${entry}`, `node_modules/.bin/${name}`]) {
      const result = await judged(command, { 'a.mjs': '' }, fakeRunner(name, entry));
      expect(result).toMatchObject({
        verdict: 'blocked',
        faults: [
          reason('not_installed', { program: name }),
          CHANGED,
          reason('detail', { text: leftOut(`node_modules/.bin/${name}`, `node_modules/${name}`) }),
        ],
      });
    }
  });

  test.each(RUNNERS)('%s of the base is run, but not once the patch was at it', async (name, entry) => {
    const base = { 'a.mjs': '', ...fakeRunner(name, entry), 'node_modules/other/index.js': '' };
    expect(await judged(`npx ${name}`, base, { 'a.mjs': '//' })).toMatchObject({ verdict: 'fail', runner: name });
    for (const path of ['node_modules/other/index.js', `node_modules/${name}/node_modules/pathe/index.js`]) {
      const result = await judged(`npx ${name}`, base, { [path]: 'changed();\n' });
      expect(result).toMatchObject({
        verdict: 'blocked',
        faults: [reason('not_installed', { program: name }), CHANGED],
      });
    }
  });

  test('a second vitest, nearer to the tests than the one that was set up, is left out', async () => {
    const base = {
      'src/slug.mjs': 'export const slug = (text) => text;\n',
      'src/slug.test.mjs':
        "import { expect, test } from 'vitest';\nimport { slug } from './slug.mjs';\ntest('slug', () => { expect(slug('A')).toBe('a'); });\n",
    };
    const nearer = {
      'src/node_modules/vitest/package.json': '{"name": "vitest", "type": "module", "exports": "./index.js"}',
      'src/node_modules/vitest/index.js':
        "export { test } from '../../../../node_modules/vitest/dist/index.js';\nexport const expect = () => ({ toBe() {} });\n",
    };
    const provisioned = {
      source: fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
      target: '/workspace/node_modules',
      mode: 'ro',
    } as const;
    const result = await judged('vitest run', base, nearer, { readOnly: [provisioned] });
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
    expect(result.note).toContain(leftOut('src/node_modules/vitest'));
  });
});

describe('scripts', () => {
  test.each<[string, string, Files]>([
    ['./check', 'check', { check: EXIT_0 }],
    ['bin/check --all', 'bin/check', { 'bin/check': EXIT_0 }],
    ['sh check.sh', 'check.sh', { 'check.sh': 'exit 0\n' }],
    ['sh -e check.sh', 'check.sh', { 'check.sh': 'exit 0\n' }],
    ['node check.js', 'check.js', { 'check.js': '' }],
    ['node --require ./first.js package.json', 'first.js', { 'first.js': 'process.exit(0);\n' }],
    ['python3 check.py', 'check.py', { 'check.py': '' }],
    ['python3 -m check', 'check', { 'check/__main__.py': '' }],
    ['npm test', 'check.js', { 'check.js': '' }],
    ['PATH="$PWD/bin:$PATH" pytest -q', 'pytest', { 'bin/pytest': EXIT_0 }],
    ['export PATH="$PWD/bin:$PATH"; python3 -m check', 'python3', { 'bin/python3': EXIT_0 }],
    ['cd . && jasmine', 'jasmine', { 'node_modules/.bin/jasmine': EXIT_0 }],
    ['cd . && runner', 'runner', { 'node_modules/.bin/runner': EXIT_0 }],
    ['cd web && runner', 'runner', { 'web/node_modules/.bin/runner': EXIT_0 }],
    ['cd web && ./check', 'web/check', { 'web/check': EXIT_0 }],
    ['cd web && node check.js', 'check.js', { 'web/check.js': '' }],
    ['node prepare.js && node package.json', 'prepare.js', { 'prepare.js': '' }],
    ['node --import=./first.js run.js', 'first.js', { 'first.js': '' }],
  ])('%s: what only the patch brings is not run', async (command, program, files) => {
    const base = { 'package.json': '{"scripts": {"test": "node check.js"}}', 'web/README.md': '', 'run.js': '' };
    const result = await judged(command, base, files);
    expect(result).toMatchObject({ verdict: 'blocked' });
    expect(result.faults.slice(0, 2)).toMatchObject([reason('not_installed', { program }), COMES_WITH_THE_PATCH]);
    const ofTheBase = await judged(command, { ...base, ...files }, { 'other.txt': 'changed' });
    expect(ofTheBase, ofTheBase.output).toMatchObject({ verdict: 'pass' });
  });

  test('sealed scripts are no business of the patch', async () => {
    const result = await judged('sh check.sh', {}, { 'check.sh': 'exit 1\n' }, {}, { 'check.sh': 'ok one\n' });
    expect(result, result.output).toMatchObject({ verdict: 'pass' });
  });
});

describe('libraries of tests', () => {
  test('a package that only the patch brings checks nothing', async () => {
    const tests = {
      'a.test.mjs':
        "import { test } from 'node:test';\nimport { expect } from 'chai';\ntest('a', () => { expect(1).to.equal(2); });\n",
    };
    const chai = {
      'node_modules/chai/package.json': '{"name": "chai", "type": "module", "exports": "./index.js"}',
      'node_modules/chai/index.js': 'export const expect = () => ({ to: { equal() {} } });\n',
    };
    const result = await judged('node --test', { 'a.mjs': '' }, chai, {}, tests);
    expect(result, result.output).toMatchObject({
      verdict: 'fail',
      note: expect.stringContaining('node_modules/chai'),
    });
  });

  test('a pytest, or a plug-in for it, that only the patch brings is not loaded', async () => {
    const base = { 'test_a.py': 'def test_a():\n    assert False\n' };
    const hook = 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n';
    const planted = {
      'pytest.ini': '[pytest]\n',
      'docs/pytest/README.md': '',
      'pytest/__init__.py': 'def main(*args, **kwargs):\n    return 0\n',
      '_pytest/__init__.py': '',
      'mark_all.py': hook,
      'mark_all-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\nName: mark-all\nVersion: 1.0\n',
      'mark_all-1.0.dist-info/entry_points.txt': '[pytest11]\nmark_all = mark_all\n',
    };
    const result = await judged('python3 -m pytest -q', base, planted);
    expect(result, result.output).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }] });
    expect(result.note).toContain(leftOut('_pytest', 'mark_all-1.0.dist-info', 'pytest'));
  });

  test('a product of that name is judged like any other', async () => {
    const base = {
      'src/flexmock/__init__.py': 'ONE = 2\n',
      'test_a.py':
        'import sys\nsys.path.insert(0, "src")\nfrom flexmock import ONE\nfrom flexmock.more import TWO\ndef test_a():\n    assert (ONE, TWO) == (1, 2)\n',
    };
    const patch = { 'src/flexmock/__init__.py': 'ONE = 1\n', 'src/flexmock/more.py': 'TWO = 2\n' };
    const result = await judged('python3 -m pytest -q', base, patch);
    expect(result, result.output).toMatchObject({ verdict: 'pass' });
  });
});
