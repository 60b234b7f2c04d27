import { expect, test } from 'vitest';
import { someOf } from '../../../../kernel/some-of.fixture.ts';
import { judgeCopies } from '../../judge-copies.fixture.ts';
import { npmPackages } from '../../../../confine/tools/npm-packages.fixture.ts';
import { describeRunner } from '../package-runner.fixture.ts';

const TIMEOUT = { timeout: 120_000 };
const SLUG = `const assert = require('node:assert');
const { slugify } = require('../slug.js');
it('words', () => { assert.strictEqual(slugify('Hello World'), 'hello-world'); });
describe('odd', () => {
  it('punctuation', (done) => { setImmediate(() => { assert.strictEqual(slugify('a, b!'), 'a-b'); done(); }); });
  it('not a text', async () => { assert.throws(() => slugify(7), /not a text/); });
});
`;

const judgeTree = describeRunner({
  runner: 'mocha',
  package: 'mocha',
  version: '11.8.0',
  command: 'npx mocha',
  tree: { 'package.json': '{}', 'test/slug.js': SLUG },
  ids: ['test/slug.js::odd > not a text', 'test/slug.js::odd > punctuation', 'test/slug.js::words'],
  testFile: 'test/slug.js',
  only: ['test/slug.js::odd > punctuation', 'test/slug.js::words'],
  skipping: {
    files: {
      'test/slug.js': "it('runs', () => {}); it.skip('is skipped', () => {}); it('is to be done');\n",
    },
    outcomes: {
      'test/slug.js::runs': 'passed',
      'test/slug.js::is skipped': 'skipped',
      'test/slug.js::is to be done': 'skipped',
    },
  },
  broken: { file: 'test/first.js', text: "require('../not-written-yet.js');\n" },
  nothing: 'mocha none/*.js',
});

test('the configuration of the tree is kept, also where it needs another start of node', TIMEOUT, async (context) => {
  const tree = {
    'package.json': '{"mocha": {"spec": "spec/**/*.mjs", "reporter": "dot", "parallel": true, "bail": true}}',
    '.mocharc.json': '{"node-option": ["no-warnings"], "require": ["./setup.cjs"]}',
    'setup.cjs': 'exports.mochaHooks = { beforeEach() { global.seven = 7; } };\n',
    'spec/a.mjs':
      "it('fails', () => { throw new Error('no'); });\nit('is seven', () => { if (seven !== 7) throw new Error('not seven'); });\n",
    'spec/deep/b.mjs':
      "it('sees options', () => { if (!process.execArgv.includes('--no-warnings')) throw new Error('none'); });\n",
  };
  const result = await judgeTree(context, tree, { testCommand: 'mocha -b' });
  expect(result.seen, result.output).toEqual([
    { id: 'spec/a.mjs::fails', outcome: 'failed', file: 'spec/a.mjs' },
    { id: 'spec/a.mjs::is seven', outcome: 'passed', file: 'spec/a.mjs' },
    { id: 'spec/deep/b.mjs::sees options', outcome: 'passed', file: 'spec/deep/b.mjs' },
  ]);
});

test('a hook that fails is an error, and its tests are not reported', TIMEOUT, async (context) => {
  const tree = {
    'test/a.js': "describe('x', () => { before(() => { throw new Error('no'); }); it('a', () => {}); });\n",
  };
  const result = await judgeTree(context, tree);
  expect(result.seen, result.output).toEqual([
    { id: 'test/a.js::x > "before all" hook for "a"', outcome: 'error', file: 'test/a.js' },
  ]);
});

test('sealed tests are run without any setting of the tree', TIMEOUT, async (context) => {
  const tree = {
    'slug.js': "exports.slugify = () => 'a';\n",
    '.mocharc.cjs': 'process.exit(0);\n',
    'setup.js': 'process.exit(0);\n',
  };
  const tests = {
    'slug.js': "it('a', () => { if (require('../slug.js').slugify() !== 'b') throw new Error('no'); });\n",
  };
  const result = await judgeTree(context, tree, { testCommand: 'mocha --require ./setup.js' }, tests);
  expect(result, result.output).toMatchObject({
    verdict: 'fail',
    faults: [{ code: 'tests_failed' }],
    seen: [{ id: 'slug.js::a', outcome: 'failed', file: 'tests/slug.js' }],
  });
});

test.for(someOf(['3.5.3', '5.2.0', '6.2.3', '7.2.0']))(
  'mocha %s reports by name, with its options file and a file that does not load',
  TIMEOUT,
  async (version, context) => {
    const source =
      (await npmPackages('mocha', version)) ?? context.skip(`mocha ${version} could not be installed: no registry`);
    const tree = {
      'test/mocha.opts': '--bail\n--require ./setup.js\n',
      'setup.js': '',
      'slug.js': "exports.slugify = (text) => text.toLowerCase().replace(' ', '-');\n",
      'test/broken.js': "require('../not-written-yet.js');\n",
      'test/slug.js': SLUG,
      'test/todo.js': "it('is to be done'); it.skip('is skipped', () => {});\n",
    };
    const readOnly = [{ source, target: '/workspace/node_modules', mode: 'ro' }] as const;
    const judge = (terms = {}) =>
      judgeCopies(
        { tree, tests: null },
        { testCommand: 'npx mocha', isolation: 'in_process', readOnly, timeoutMs: 100_000, ...terms },
      );
    const result = await judge();
    expect(Object.fromEntries(result.seen.map(({ id, outcome }) => [id, outcome])), result.output).toEqual({
      'test/broken.js': 'error',
      'test/slug.js::words': 'passed',
      'test/slug.js::odd > punctuation': 'failed',
      'test/slug.js::odd > not a text': 'failed',
      'test/todo.js::is to be done': 'skipped',
      'test/todo.js::is skipped': 'skipped',
    });
    expect(result).toMatchObject({ verdict: 'fail', protocolFaults: [] });
    const one = await judge({ only: ['test/slug.js::words'] });
    expect(one.seen, one.output).toMatchObject([{ id: 'test/slug.js::words', outcome: 'passed' }]);
  },
);
