import { expect, test } from 'vitest';
import { describeRunner } from '../package-runner.fixture.ts';

const TIMEOUT = { timeout: 120_000 };
const SLUG = `const test = require('tape');
const { slugify } = require('../slug.js');
test('words', (t) => { t.equal(slugify('Hello World'), 'hello-world'); t.end(); });
test('odd', (t) => {
  t.test('punctuation', async (st) => { st.comment('a remark'); st.equal(slugify('a, b!'), 'a-b'); });
  t.test('not a text', (st) => { st.throws(() => slugify(7), /not a text/); st.end(); });
  t.end();
});
`;

const judgeTree = describeRunner({
  runner: 'tape',
  package: 'tape',
  version: '5.10.2',
  command: "tape 'test/*.js' | tap-spec",
  tree: { 'package.json': '{}', 'test/slug.js': SLUG },
  ids: ['odd', 'odd > not a text', 'odd > punctuation', 'words'].map((name) => `test/slug.js::${name}`),
  testFile: 'test/slug.js',
  only: ['test/slug.js::odd > punctuation', 'test/slug.js::words'],
  skipping: {
    files: {
      'test/slug.js': `const test = require('tape');
test('runs', (t) => { t.pass(); t.end(); }); test('is skipped', { skip: true }, (t) => { t.end(); });
test('is to be done', { todo: true }, (t) => { t.fail(); t.end(); });
`,
    },
    outcomes: {
      'test/slug.js::runs': 'passed',
      'test/slug.js::is skipped': 'skipped',
      'test/slug.js::is to be done': 'skipped',
    },
  },
  broken: { file: 'test/first.js', text: "require('../not-written-yet.js');\n" },
  nothing: 'tape none/*.js',
});

test('a file that is started by node, also as a module', TIMEOUT, async (context) => {
  const tree = {
    'package.json': '{"type": "module", "scripts": {"test": "node test/index.js"}}',
    'test/index.js': "import './a.js';\n",
    'test/a.js': "import test from 'tape';\ntest('a', (t) => { t.equal(1, 1); t.end(); });\n",
    'test/helper.js': '',
  };
  const result = await judgeTree(context, tree, { testCommand: 'npm test' });
  expect(result, result.output).toMatchObject({ verdict: 'pass', runner: 'tape' });
  expect(result.seen).toEqual([{ id: 'test/index.js::a', outcome: 'passed', file: 'test/index.js' }]);
});

test('of several files each is told, also those without tests', TIMEOUT, async (context) => {
  const tree = {
    'test/a.js': "require('tape')('a', (t) => { t.equal(1, 2); t.end(); });\n",
    'test/b.js': "require('tape')('b', (t) => { t.end(); });\n",
    'test/helper.js': 'module.exports = 1;\n',
  };
  const result = await judgeTree(context, tree, { testCommand: 'tape test/*.js' });
  expect(result.seen, result.output).toEqual([
    { id: 'test/a.js::a', outcome: 'failed', file: 'test/a.js' },
    { id: 'test/b.js::b', outcome: 'passed', file: 'test/b.js' },
  ]);
  expect(result.faults).toMatchObject([{ code: 'tests_failed' }]);
  expect(result.collected).toEqual(['test/a.js', 'test/b.js', 'test/helper.js']);
});
