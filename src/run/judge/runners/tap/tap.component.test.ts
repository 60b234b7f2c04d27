import { expect, test } from 'vitest';
import { describeRunner } from '../package-runner.fixture.ts';

const TIMEOUT = { timeout: 120_000 };
const SLUG = `const t = require('tap');
const { slugify } = require('../slug.js');
t.test('words', async (t) => { t.equal(slugify('Hello World'), 'hello-world'); });
t.test('odd', (t) => {
  t.test('punctuation', { buffered: true }, async (t) => { t.equal(slugify('a, b!'), 'a-b'); });
  t.test('not a text', (t) => { t.throws(() => slugify(7), { message: 'not a text' }); t.end(); });
  t.end();
});
`;

const judgeTree = describeRunner({
  runner: 'tap',
  package: 'tap',
  version: '21.8.0',
  command: 'npx tap',
  tree: { 'package.json': '{}', 'test/slug.js': SLUG },
  ids: ['odd', 'odd > not a text', 'odd > punctuation', 'words'].map((name) => `test/slug.js::${name}`),
  testFile: 'test/slug.js',
  only: ['test/slug.js::odd > punctuation', 'test/slug.js::words'],
  skipping: {
    files: {
      'test/slug.js': `const t = require('tap');
t.test('runs', async (t) => { t.pass(); }); t.test('is skipped', { skip: true }, async () => {});
t.test('is to be done', { todo: true }, async (t) => { t.fail(); }); t.ok(true, 'outside');
`,
    },
    outcomes: {
      'test/slug.js::runs': 'passed',
      'test/slug.js::is skipped': 'skipped',
      'test/slug.js::is to be done': 'skipped',
      'test/slug.js::outside': 'passed',
    },
  },
  broken: { file: 'test/first.js', text: "require('../not-written-yet.js');\n" },
  caughtByIds: ['printed results'],
  nothing: 'tap none.js',
});

test('a file that is started by node', TIMEOUT, async (context) => {
  const tree = {
    'test.mjs':
      "import t from 'tap';\nt.test('a', async (t) => { t.equal(1, 1); });\nt.test('b', async (t) => { t.equal(1, 2); });\n",
  };
  const result = await judgeTree(context, tree, { testCommand: 'node test.mjs' });
  expect(result.seen, result.output).toEqual([
    { id: 'test.mjs::a', outcome: 'passed', file: 'test.mjs' },
    { id: 'test.mjs::b', outcome: 'failed', file: 'test.mjs' },
  ]);
  expect(result).toMatchObject({ runner: 'tap', faults: [{ code: 'tests_failed' }], collected: ['test.mjs'] });
});
