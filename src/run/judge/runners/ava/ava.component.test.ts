import { expect, test } from 'vitest';
import { npmPackages } from '../../../../confine/tools/npm-packages.fixture.ts';
import { someOf } from '../../../../kernel/some-of.fixture.ts';
import { judgeCopies } from '../../judge-copies.fixture.ts';
import { describeRunner } from '../package-runner.fixture.ts';

const TIMEOUT = { timeout: 120_000 };
const SLUG = `const test = require('ava');
const { slugify } = require('../slug.js');
test('words', (t) => { t.is(slugify('Hello World'), 'hello-world'); });
test('odd: punctuation', async (t) => { t.is(await slugify('a, b!'), 'a-b'); });
test('odd: not a text', (t) => { t.throws(() => slugify(7), { message: 'not a text' }); });
`;

const judgeTree = describeRunner({
  runner: 'ava',
  package: 'ava',
  version: '6.4.1',
  command: 'npx ava',
  tree: { 'package.json': '{}', 'test/slug.js': SLUG },
  ids: ['test/slug.js::odd: not a text', 'test/slug.js::odd: punctuation', 'test/slug.js::words'],
  testFile: 'test/slug.js',
  only: ['test/slug.js::odd: punctuation', 'test/slug.js::words'],
  skipping: {
    files: {
      'test/slug.js': `const test = require('ava');
test('runs', (t) => { t.pass(); }); test.skip('is skipped', (t) => { t.pass(); }); test.todo('is to be done');
test.failing('is known to fail', (t) => { t.fail(); });
`,
    },
    outcomes: {
      'test/slug.js::runs': 'passed',
      'test/slug.js::is skipped': 'skipped',
      'test/slug.js::is to be done': 'skipped',
      'test/slug.js::is known to fail': 'skipped',
    },
  },
  broken: { file: 'test/first.js', text: "require('../not-written-yet.js');\n" },
  nothing: 'ava none/*.js',
});

test('the configuration of the tree is kept, and tests are apart from the reporter', TIMEOUT, async (context) => {
  const tree = {
    'package.json':
      '{"type": "module", "ava": {"files": ["spec/*.mjs"], "failFast": true, "environmentVariables": {"SEVEN": "7"}}}',
    'spec/a.mjs': `import { isMainThread } from 'node:worker_threads';
import test from 'ava';
test.serial('fails', (t) => { t.fail(); });
test.serial('is seven', (t) => { t.is(process.env.SEVEN, '7'); });
test.serial('is apart', (t) => { t.true(isMainThread); });
`,
  };
  const result = await judgeTree(context, tree, { testCommand: 'ava --verbose' });
  expect(result.seen, result.output).toEqual([
    { id: 'spec/a.mjs::fails', outcome: 'failed', file: 'spec/a.mjs' },
    { id: 'spec/a.mjs::is seven', outcome: 'passed', file: 'spec/a.mjs' },
    { id: 'spec/a.mjs::is apart', outcome: 'passed', file: 'spec/a.mjs' },
  ]);
});

test('ava does not give up on a slow machine after its usual 10 s', TIMEOUT, async (context) => {
  const tree = {
    'package.json': '{}',
    // Runs in the process of ava itself, for which 10 s are over at once.
    'ava.config.js': `const { setTimeout: after } = globalThis;
globalThis.setTimeout = (call, wait, ...given) => after(call, wait === 10_000 ? 0 : wait, ...given);
module.exports = {};
`,
    'test/a.js': "const test = require('ava');\ntest('a', (t) => { t.pass(); });\n",
  };
  const result = await judgeTree(context, tree);
  expect(result, result.output).toMatchObject({ verdict: 'pass' });
});

test('snapshots are compared, never written', TIMEOUT, async (context) => {
  const tree = {
    'package.json': '{}',
    'test/a.js': "const test = require('ava');\ntest('a', (t) => { t.snapshot(1); });\n",
  };
  const result = await judgeTree(context, tree, { testCommand: 'ava -u' });
  expect(result, result.output).toMatchObject({ verdict: 'fail', seen: [{ id: 'test/a.js::a', outcome: 'failed' }] });
});

test('sealed tests are refused, since settings of the tree would have a say', TIMEOUT, async (context) => {
  const result = await judgeTree(context, { 'package.json': '{}' }, {}, { 'a.js': '' });
  expect(result).toMatchObject({
    verdict: 'blocked',
    faults: [{ text: expect.stringContaining('cannot run sealed tests') }],
  });
});

test.for(someOf(['3.15.0', '3.0.0']))(
  'ava %s reports by name, with a file that does not load, and runs one alone',
  { ...TIMEOUT, tags: ['long'] },
  async (version, context) => {
    const source =
      (await npmPackages('ava', version)) ?? context.skip(`ava ${version} could not be installed: no registry`);
    const tree = {
      'package.json': '{}',
      'test/broken.js': "require('../not-written-yet.js');\n",
      'test/slug.js': `const test = require('ava');
test('passes', (t) => { t.is('a'.toUpperCase(), 'A'); });
test('fails', (t) => { t.is('a', 'A'); });
test.skip('is skipped', (t) => { t.pass(); });
`,
    };
    const readOnly = [{ source, target: '/workspace/node_modules', mode: 'ro' }] as const;
    const judge = (terms = {}) =>
      judgeCopies(
        { tree, tests: null },
        { testCommand: 'npx ava', isolation: 'in_process', readOnly, timeoutMs: 100_000, ...terms },
      );
    const result = await judge();
    expect(Object.fromEntries(result.seen.map(({ id, outcome }) => [id, outcome])), result.output).toEqual({
      'test/broken.js': 'error',
      'test/slug.js::passes': 'passed',
      'test/slug.js::fails': 'failed',
      'test/slug.js::is skipped': 'skipped',
    });
    expect(result).toMatchObject({ verdict: 'fail', protocolFaults: [] });
    const one = await judge({ only: ['test/slug.js::passes'] });
    expect(one.seen, one.output).toEqual([{ id: 'test/slug.js::passes', outcome: 'passed', file: 'test/slug.js' }]);
  },
);
