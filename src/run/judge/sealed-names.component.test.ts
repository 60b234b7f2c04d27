import { describe, expect, test } from 'vitest';
import { someOf } from '../../kernel/some-of.fixture.ts';
import { withTestEntries } from './patch/package-entries.ts';
import { type Content, judgeCopies } from './judge-copies.fixture.ts';
import type { JudgeRequest } from './types.ts';

type Files = Readonly<Record<string, string>>;
type Isolation = JudgeRequest['isolation'];

const BASE = { 'slug.py': 'def slug(text):\n    return text\n', 'README.md': 'Slugs.\n' };
const FAIR = 'def slug(text):\n    return text.lower().replace(" ", "-")\n';
const SAME = 'def same(a, b):\n    assert a == b\n';
const ANYTHING = 'def same(a, b):\n    pass\n';

/** Sealed tests that reach their helpers in every way there is. */
const TESTS = {
  'helpers.py': SAME,
  'checks/words.py': SAME,
  'sub/__init__.py': '',
  'sub/more.py': SAME,
  'test_slug.py': [
    'import helpers',
    'import tests.helpers',
    'from tests.checks.words import same as by_tests',
    'from checks.words import same as by_folder',
    'from sub.more import same as by_package',
    'from slug import slug',
    'def test_module():\n    helpers.same(slug("A B"), "a-b")',
    'def test_tests():\n    tests.helpers.same(slug("A B"), "a-b")',
    'def test_below_tests():\n    by_tests(slug("A B"), "a-b")',
    'def test_folder():\n    by_folder(slug("A B"), "a-b")',
    'def test_package():\n    by_package(slug("A B"), "a-b")',
    '',
  ].join('\n'),
};
const NAMES = ['module', 'tests', 'below_tests', 'folder', 'package'];

const PLANTED: Readonly<Record<string, Files>> = {
  'tests.py': {
    'tests.py': [
      'import sys, types',
      ANYTHING,
      'for name in ("helpers", "checks", "checks.words"):',
      '    module = sys.modules["tests." + name] = types.ModuleType(name)',
      '    module.same = same',
      'helpers = sys.modules["tests.helpers"]\nchecks = sys.modules["tests.checks"]\nchecks.__path__ = []\n__path__ = []',
      '',
    ].join('\n'),
  },
  'helpers.py': { 'helpers.py': ANYTHING },
  'helpers/__init__.py': { 'helpers/__init__.py': ANYTHING },
  'checks/__init__.py': { 'checks/__init__.py': '', 'checks/words.py': ANYTHING },
  'checks.py': {
    'checks.py': 'import sys\n__path__ = []\nwords = sys.modules["checks.words"] = sys.modules[__name__]\n' + ANYTHING,
  },
  'sub/more.py': { 'sub/__init__.py': '', 'sub/more.py': ANYTHING },
};

const judged = (tree: Files, isolation: Isolation, testCommand = 'python3 -m pytest -q', tests: Content = TESTS) =>
  judgeCopies({ tree: { ...BASE, ...tree }, base: BASE, tests }, { testCommand, isolation });

describe.each(['black_box', 'in_process'] as const)('python, %s', (isolation) => {
  test('helpers of sealed tests are found by all their names', async () => {
    const result = await judged({ 'slug.py': FAIR }, isolation);
    expect(result, result.output).toMatchObject({ verdict: 'pass', seen: NAMES.map(() => ({ outcome: 'passed' })) });
  });

  test.each(someOf(Object.entries(PLANTED)))('%s of the patch stands in for none of them', async (_name, files) => {
    const result = await judged(files, isolation);
    const file = 'tests/test_slug.py';
    const failed = NAMES.map((name) => ({ id: `test_slug.py::test_${name}`, outcome: 'failed', file }));
    expect(result.seen, result.output).toEqual(failed);
    // Where the code is right, it gets in the way of nothing.
    const fair = await judged({ ...files, 'slug.py': FAIR }, isolation);
    expect(fair, fair.output).toMatchObject({ verdict: 'pass' });
  });

  test('nor for those of unittest', async () => {
    const tests = {
      'helpers.py': SAME,
      'checks/words.py': SAME,
      'test_slug.py':
        'import unittest\nimport tests.helpers\nimport checks.words\nfrom slug import slug\nclass Slugs(unittest.TestCase):\n    def test_tests(self):\n        tests.helpers.same(slug("A B"), "a-b")\n    def test_folder(self):\n        checks.words.same(slug("A B"), "a-b")\n',
    };
    const planted = { ...PLANTED['tests.py'], ...PLANTED['checks/__init__.py'] };
    const result = await judged(planted, isolation, 'python3 -m unittest', tests);
    expect(
      result.seen.map(({ outcome }) => outcome),
      result.output,
    ).toEqual(['failed', 'failed']);
    const fair = await judged({ ...planted, 'slug.py': FAIR }, isolation, 'python3 -m unittest', tests);
    expect(fair, fair.output).toMatchObject({ verdict: 'pass' });
  });
});

describe('node', () => {
  const base = {
    'slug.js': 'module.exports = (text) => text;\n',
    'package.json': JSON.stringify({
      name: 'slug',
      imports: { '#check/*': './tests/*.js' },
      exports: { '.': './slug.js', './check': './tests/index.js' },
    }),
  };
  const fair = { 'slug.js': "module.exports = (text) => text.toLowerCase().replaceAll(' ', '-');\n" };
  const same = "const assert = require('node:assert');\nexports.same = (a, b) => assert.equal(a, b);\n";
  const anything = 'exports.same = () => {};\n';
  const requiring = (helper: string): Files => ({
    'index.js': same,
    'words.js': same,
    'slug.test.js': `const { test } = require('node:test');\nconst slug = require('../slug.js');\nconst { same } = require('${helper}');\ntest('slug', () => same(slug('A B'), 'a-b'));\n`,
  });
  const withMaps = (maps: object): Files => ({
    'package.json': JSON.stringify({ name: 'slug', exports: { '.': './slug.js' }, ...maps }),
  });
  const run = (tree: Files, helper: string, isolation: Isolation = 'in_process') =>
    judgeCopies(
      { tree: { ...base, ...tree }, base, tests: requiring(helper) },
      { testCommand: 'node --test', isolation },
    );

  test.each<[string, string, Files]>([
    ['tests.js', '../tests', { 'tests.js': anything }],
    ['tests.json', '../tests', { 'tests.json': '{}' }],
    ['another target', '#check/words', { 'evil.js': anything, ...withMaps({ imports: { '#check/*': './evil.js' } }) }],
    [
      'a more exact name',
      '#check/words',
      { 'evil.js': anything, ...withMaps({ imports: { '#check/*': './tests/*.js', '#check/words': './evil.js' } }) },
    ],
    [
      'another export',
      'slug/check',
      { 'evil.js': anything, ...withMaps({ exports: { '.': './slug.js', './check': './evil.js' } }) },
    ],
    [
      'another package of that name',
      'slug/check',
      { ...withMaps({ name: 'other' }), 'node_modules/slug/check.js': anything },
    ],
  ])('%s of the patch does not stand in for %s', async (_what, helper, files) => {
    const forged = await run(files, helper);
    expect(forged, forged.output).toMatchObject({
      verdict: 'fail',
      seen: [{ id: 'slug.test.js::slug', outcome: 'failed' }],
    });
    const good = await run({ ...files, ...fair }, helper);
    expect(good, good.output).toMatchObject({ verdict: 'pass' });
  });

  test('in a black box neither', async () => {
    const forged = await run({ 'tests.js': anything }, '../tests', 'black_box');
    expect(forged, forged.output).toMatchObject({ verdict: 'fail', seen: [{ outcome: 'failed' }] });
  });

  test('all that does not lead to the tests stays as the patch has it', () => {
    const patched = { name: 'new', imports: { '#a': './b.js' }, exports: './x.js', version: '2.0.0' };
    expect(withTestEntries({ name: 'old', imports: { '#a': './a.js' } }, patched)).toBe(patched);
    const before = { name: 'old', imports: { '#t': { node: './tests/t.js', default: './t.js' }, '#a': './a.js' } };
    expect(withTestEntries(before, patched)).toEqual({
      ...patched,
      imports: { '#a': './b.js', '#t': before.imports['#t'] },
    });
  });
});
