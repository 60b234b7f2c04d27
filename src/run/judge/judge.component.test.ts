import { reason } from '../../evidence/reasons/catalogue.ts';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { FORGER_SUITES } from '../selftest/suites.ts';
import { judgeCopies } from './judge-copies.fixture.ts';

const dir = (path: string): string => fileURLToPath(new URL(`../selftest/suites/${path}`, import.meta.url));
const WRONG = { 'slug.py': 'def slugify(text):\n    return text\n' };
const PYTEST = { tests: dir('pytest/tests'), expected: FORGER_SUITES[0]?.expected ?? [] };
const both = ['black_box', 'in_process'] as const;

describe.each(both)('%s', (isolation) => {
  const terms = { testCommand: 'python3 -m pytest -q', isolation, expectedTests: PYTEST.expected };

  test('wrong code: tests failed, each by its name', async () => {
    const result = await judgeCopies({ tree: WRONG, tests: PYTEST.tests }, terms);
    expect(result).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'tests_failed' }],
      exitCode: 1,
      runner: 'pytest',
    });
    expect(result.seen).toContainEqual({
      id: 'test_slug.py::test_words',
      outcome: 'failed',
      file: 'tests/test_slug.py',
    });
    expect(result.seen).toContainEqual({
      id: 'test_slug.py::test_empty',
      outcome: 'passed',
      file: 'tests/test_slug.py',
    });
    expect(result.output).toContain('hello-world');
    expect(result.toolchain).toEqual([
      expect.objectContaining({ name: 'python3', sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }),
    ]);
  });

  test('code that ends the process: the expected tests were not reported', async () => {
    const tree = dir('pytest/forgers/exit-on-import');
    const result = await judgeCopies({ tree, tests: PYTEST.tests }, terms);
    expect(result.faults[0]).toMatchObject(reason('expected_tests_missing', { n: 4 }));
  });

  test('code that never ends: tests timed out', async () => {
    const tree = { 'slug.py': 'def slugify(text):\n    while True:\n        pass\n' };
    const result = await judgeCopies({ tree, tests: PYTEST.tests }, { ...terms, timeoutMs: 1500 });
    expect(result).toMatchObject({ verdict: 'fail', exitCode: null });
    expect(result.faults[0]).toMatchObject({ code: 'tests_timed_out' });
  });

  test('code that cannot be loaded: tests failed, and the expected ones are missing', async () => {
    const result = await judgeCopies({ tree: { 'slug.py': 'def slugify(:\n' }, tests: PYTEST.tests }, terms);
    expect(result).toMatchObject({
      verdict: 'fail',
      faults: [{ code: 'tests_failed' }, reason('expected_tests_missing', { n: 4 })],
    });
    expect(result.output).toContain('SyntaxError');
  });

  test('a skipped test is not a passed one', async () => {
    const tests = { 'test_a.py': 'import pytest\n\ndef test_a():\n    pytest.skip("no")\n\ndef test_b():\n    pass\n' };
    const expectedTests = ['test_a.py::test_a', 'test_a.py::test_b'];
    const result = await judgeCopies({ tree: WRONG, tests }, { ...terms, expectedTests });
    expect(result).toMatchObject({ verdict: 'fail', faults: [reason('expected_tests_skipped', { n: 1 })] });
  });

  test('interrupted from outside: no verdict', async () => {
    const abort = new AbortController();
    abort.abort();
    const result = await judgeCopies({ tree: WRONG, tests: PYTEST.tests }, { ...terms, signal: abort.signal });
    expect(result).toMatchObject({ verdict: 'blocked', faults: [{ code: 'interrupted' }] });
  });

  test.each([
    ['', 'missing_test_command'],
    ['sh missing.sh', 'missing_test_command'],
    ['./missing', 'missing_test_command'],
    ['node --test', 'missing_test_command'],
    ['no-such-runner --all', 'not_installed'],
  ])('%j is no test command here: %s', async (testCommand, code) => {
    const result = await judgeCopies({ tree: WRONG, tests: PYTEST.tests }, { ...terms, testCommand });
    expect(result.verdict).toBe('blocked');
    expect(result.faults[0]?.code).toBe(code);
  });

  test('a script that reports no tests is one test, and the report says so', async () => {
    const tests = { 'check.sh': 'echo looked; exit "${1:-0}"\n' };
    const passing = await judgeCopies({ tree: WRONG, tests }, { testCommand: 'sh check.sh', isolation });
    expect(passing).toMatchObject({
      verdict: 'pass',
      seen: [{ id: 'sh check.sh', outcome: 'passed' }],
      note: expect.stringContaining('one test'),
    });
    expect(passing.output).toContain('looked');
    const failing = await judgeCopies({ tree: WRONG, tests }, { testCommand: 'sh check.sh 3', isolation });
    expect(failing).toMatchObject({ verdict: 'fail', faults: [{ code: 'tests_failed' }], exitCode: 3 });
    const expectedTests = ['words'];
    const silent = await judgeCopies({ tree: WRONG, tests }, { testCommand: 'sh check.sh', isolation, expectedTests });
    expect(silent.faults[0]).toMatchObject(reason('expected_tests_missing', { n: 1 }));
  });

  test('unittest: skips, subtests and failing set-ups are told apart', async () => {
    const tests = {
      'test_a.py': [
        'import unittest',
        'import slug',
        'class A(unittest.TestCase):',
        '    def test_sub(self):',
        '        for n in range(3):',
        '            with self.subTest(n=n):',
        '                self.assertLess(n, 2)',
        '    @unittest.skip("no")',
        '    def test_skip(self):',
        '        pass',
        '    @unittest.expectedFailure',
        '    def test_known(self):',
        '        self.fail()',
        'class B(unittest.TestCase):',
        '    @classmethod',
        '    def setUpClass(cls):',
        '        raise ValueError("no")',
        '    def test_never(self):',
        '        pass',
        '',
      ].join('\n'),
      'test_b.py': 'import no_such_module\n',
    };
    const result = await judgeCopies({ tree: WRONG, tests }, { testCommand: 'python3 -m unittest -v', isolation });
    expect(result.verdict).toBe('fail');
    expect(Object.fromEntries(result.seen.map(({ id, outcome }) => [id, outcome]))).toEqual({
      'test_a.A.test_sub': 'failed',
      'test_a.A.test_skip': 'skipped',
      'test_a.A.test_known': 'passed',
      'setUpClass (test_a.B)': 'error',
      test_b: 'error',
    });
  });
});

test('what the tests name decides, not where the command stands', async () => {
  const tests = { 'test_a.py': 'def test_a():\n    pass\n', 'test_b.py': 'def test_b():\n    assert False\n' };
  for (const testCommand of [
    'pytest tests/test_a.py',
    'pytest ./tests/test_a.py::test_a',
    'pytest -k test_a',
    'pytest . -k test_a',
  ]) {
    const result = await judgeCopies({ tree: {}, tests }, { testCommand, isolation: 'black_box' });
    expect(result, testCommand + result.output).toMatchObject({
      verdict: 'pass',
      seen: [{ id: 'test_a.py::test_a', outcome: 'passed' }],
    });
  }
});

test('tests that belong to the tree bring their own settings and names', async () => {
  const tree = {
    'pyproject.toml': '[tool.pytest.ini_options]\npythonpath = ["src"]\n',
    'src/thing.py': 'VALUE = 7\n',
    'tests/conftest.py': 'import pytest\n\n@pytest.fixture\ndef seven():\n    return 7\n',
    'tests/test_thing.py': 'import thing\n\ndef test_value(seven):\n    assert thing.VALUE == seven\n',
  };
  const result = await judgeCopies(
    { tree, tests: null },
    { testCommand: 'python3 -m pytest -q', isolation: 'in_process' },
  );
  expect(result, result.output).toMatchObject({
    verdict: 'pass',
    seen: [{ id: 'tests/test_thing.py::test_value', outcome: 'passed' }],
  });
});

test('black box without a directory of tests is refused, not weakened', async () => {
  const result = await judgeCopies({ tree: WRONG, tests: null }, { testCommand: 'pytest', isolation: 'black_box' });
  expect(result).toMatchObject({
    verdict: 'blocked',
    isolation: 'black_box',
    faults: [{ text: expect.stringContaining('named `tests`') }],
  });
});

test.each(FORGER_SUITES)('$name: judged without confinement too, in both ways', async ({ name, command, expected }) => {
  for (const isolation of both) {
    const dirs = { tree: dir(`${name}/honest`), tests: dir(`${name}/tests`) };
    const result = await judgeCopies(dirs, { testCommand: command, isolation, expectedTests: expected }, 'none');
    expect(result, result.output).toMatchObject({ verdict: 'pass', faults: [] });
  }
});
