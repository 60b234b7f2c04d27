import { expect, test } from 'vitest';
import { judgeCopies, type Dirs } from './judge-copies.fixture.ts';
import type { JudgeResult } from './types.ts';

const TIMEOUT = { timeout: 180_000 };

function judgeTree(dirs: Omit<Dirs, 'tests'>, testCommand: string): Promise<JudgeResult> {
  return judgeCopies({ ...dirs, tests: null }, { testCommand, isolation: 'in_process', timeoutMs: 150_000 });
}
const outcomes = ({ seen }: JudgeResult): readonly string[] => seen.map(({ id, outcome }) => `${outcome} ${id}`);

const IN_TEST_PACKAGE = {
  'words.py': 'COUNT = 1\n',
  'test/__init__.py': '',
  'test/numbers_of_tests.py': 'ONE = 1\n',
  'test/test_words.py':
    'import unittest\nimport words\nfrom test.numbers_of_tests import ONE\n\n\nclass Words(unittest.TestCase):\n    def test_count(self):\n        self.assertEqual(words.COUNT, ONE)\n',
};

test.each([
  ['python3 -m unittest', 'test.test_words.Words.test_count'],
  ['python3 -m unittest test.test_words', 'test.test_words.Words.test_count'],
  ['python3 -m unittest discover -s test', 'test_words.Words.test_count'],
  ['python3 -m pytest -q', 'test/test_words.py::Words::test_count'],
])('tests in a package of the name test, which Python has too: %s', TIMEOUT, async (command, id) => {
  expect(outcomes(await judgeTree({ tree: IN_TEST_PACKAGE }, command))).toEqual([`passed ${id}`]);
});

// Every installation of pytest brings a module of this name.
const OWN_PY = {
  'py.py': 'def own():\n    return True\n',
  'tests/test_py.py':
    'import unittest\nimport py\n\n\nclass Own(unittest.TestCase):\n    def test_own(self):\n        self.assertTrue(py.own())\n',
};

test('a module of the tree comes before an installed one of its name', TIMEOUT, async () => {
  const result = await judgeTree({ tree: OWN_PY }, 'python3 -m unittest tests.test_py');
  expect(outcomes(result)).toEqual(['passed tests.test_py.Own.test_own']);
});

test('a module that only the patch brings stands in for no installed one', TIMEOUT, async () => {
  const { 'py.py': brought, ...base } = OWN_PY;
  const result = await judgeTree({ tree: { 'py.py': brought }, base }, 'python3 -m unittest tests.test_py');
  expect(outcomes(result)).toEqual(['error tests.test_py.Own.test_own']);
});

test('a module of the tree comes before none of the standard library', TIMEOUT, async () => {
  const tree = {
    'colorsys.py': 'raise SystemExit(0)\n',
    'tests/test_words.py':
      'import colorsys\nimport unittest\n\n\nclass Words(unittest.TestCase):\n    def test_colors(self):\n        self.assertTrue(colorsys.rgb_to_hls(0, 0, 0))\n',
  };
  expect(outcomes(await judgeTree({ tree }, 'python3 -m unittest tests.test_words'))).toEqual([
    'passed tests.test_words.Words.test_colors',
  ]);
});
