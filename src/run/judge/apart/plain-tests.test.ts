import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { keepApart } from './keep-apart.ts';
import { plainTests } from './plain-tests.ts';

const PYTHON_HEAD = 'import pytest\nfrom calc import total\n\n';
const JS_HEAD =
  "import { test } from 'node:test';\nimport assert from 'node:assert/strict';\nimport { total } from '../src/cart.js';\n";

async function isPlain(runner: string, path: string, id: string, text: string): Promise<boolean> {
  const files = { paths: [path, 'tests/golden.json'], read: (one: string) => (one === path ? text : null) };
  return (await plainTests(runner, [id], files, () => path)).length === 1;
}
const python = (body: string, head = PYTHON_HEAD): Promise<boolean> =>
  isPlain('pytest', 'tests/test_a.py', 'tests/test_a.py::test_a', head + body);
const javascript = (body: string, head = JS_HEAD): Promise<boolean> =>
  isPlain('node-test', 'test/a.test.js', 'test/a.test.js::a', `${head}test('a', ${body});\n`);

const go = (body: string): Promise<boolean> =>
  isPlain(
    'go',
    'a_test.go',
    'example.org/a::TestA',
    `package a\n\nimport "testing"\n\nfunc TestA(t *testing.T) {\n\t${body}\n}\n`,
  );

test.each([
  [
    'a pattern of the line that called',
    'if !regexp.MustCompile(`^\\w+\\.go:\\d+ hi$`).MatchString(line()) { t.Fail() }',
    true,
  ],
  ['its own file by name', 'if !strings.Contains(line(), "a_test.go:7") { t.Fail() }', false],
  ['sources of the tree', 'if names, _ := filepath.Glob("*.go"); count(names) != 2 { t.Fail() }', false],
  ['sources by a pattern', 'if count(regexp.MustCompile(`\\.go$`)) != 2 { t.Fail() }', false],
])('Go, %s', async (_what, body, plain) => {
  expect(await go(body)).toBe(plain);
});

test.each([
  'def test_a():\n    assert total([100], 10) == 90\n',
  'def test_a():\n    result = total([1, 2])\n    assert result == 3\n',
  'def test_a():\n    assert calc.more.total("A ").strip() == "a"\n',
  'def test_a():\n    for given, wanted in [("a", 1), ("b", 2)]:\n        assert total(given) == wanted\n',
  '@pytest.mark.parametrize("given, wanted", [("a", 1)])\ndef test_a(given, wanted):\n    assert total(given) == wanted\n',
])('Python, plain: %s', async (body) => {
  expect(await python(body)).toBe(true);
});

test.each([
  ['prints', 'def test_a(capsys):\n    total([1])\n    assert capsys.readouterr().out == ""\n'],
  ['files', 'def test_a(tmp_path):\n    assert total(tmp_path) == 1\n'],
  ['a file of the tests', 'def test_a():\n    assert total("tests/golden.json") == 1\n'],
  ['errors of its own', 'def test_a():\n    with pytest.raises(ValueError):\n        total(1)\n'],
  ['a tuple, which arrives as a list', 'def test_a():\n    assert total(1) == (1, 2)\n'],
  [
    'a value that is changed in place',
    'def test_a():\n    prices = [1]\n    total(prices)\n    assert prices == [2]\n',
  ],
  ['kinds of values', 'def test_a():\n    assert isinstance(total(1), int)\n'],
  ['operators of a type of the product', 'def test_a():\n    assert total("a") + "<b>" == "a&lt;b&gt;"\n'],
  ['methods of a type of the product', 'def test_a():\n    assert total("a").unescape() == "a"\n'],
  ['methods of a value that has a name', 'def test_a():\n    text = total("a")\n    assert text.unescape() == "a"\n'],
  ['names that are looked into', 'def test_a():\n    assert [x for x in total(1)] == []\n'],
])('Python, not plain: %s', async (_why, body) => {
  expect(await python(body)).toBe(false);
});

test.each([
  [
    'import os\nimport tempfile\n',
    'def test_a():\n    file = os.path.join(tempfile.mkdtemp(), "a")\n    assert total(file) == 1\n',
    false,
  ],
  [
    'from shutil import copy\n',
    'def test_a():\n    copy("/etc/hosts", "/tmp/a")\n    assert total("/tmp/a") == 1\n',
    false,
  ],
  ['import os\n', 'def test_a():\n    assert total(os.path.join("a", "b")) == 1\n', true],
])('Python that prepares files is not plain: %s', async (head, body, expected) => {
  expect(await python(body, `${PYTHON_HEAD}${head}\n`)).toBe(expected);
});

test.each([
  [
    "import { mkdtempSync, writeFileSync } from 'node:fs';\nimport { tmpdir } from 'node:os';\n",
    "() => { const file = mkdtempSync(tmpdir()); writeFileSync(file + '/a', 'a'); assert.equal(total(file), 1); }",
    false,
  ],
  [
    "import * as fs from 'fs/promises';\n",
    "async () => { await fs.mkdir('/tmp/a'); assert.equal(total(1), 1); }",
    false,
  ],
  ["import { join } from 'node:path';\n", "() => { assert.equal(total(join('a', 'b')), 1); }", true],
])('JavaScript that prepares files is not plain: %s', async (head, body, expected) => {
  expect(await javascript(body, `${JS_HEAD}${head}`)).toBe(expected);
});

test('a file that sets something up is not plain', async () => {
  const plain = 'def test_a():\n    assert total([100], 10) == 90\n';
  expect(await python(plain, `${PYTHON_HEAD}import os\nos.environ["A"] = "1"\n\n`)).toBe(false);
  expect(await python(plain, `${PYTHON_HEAD}@pytest.fixture(autouse=True)\ndef set_up():\n    pass\n\n`)).toBe(false);
  expect(await javascript('() => { assert.equal(total([1]), 1); }', `${JS_HEAD}beforeEach(() => {});\n`)).toBe(false);
  expect(await javascript('() => { assert.equal(total([1]), 1); }', `${JS_HEAD}process.env.A = '1';\n`)).toBe(false);
});

test.each([
  ['() => { assert.equal(total([100], 10), 90); }', true],
  ['async () => {\n  const sum = await total([1]);\n  assert.deepEqual(sum, { a: [1] });\n}', true],
  ['() => assert.equal(total([1]), 1)', true],
  ['(t) => { t.mock.method(a, "b"); assert.equal(total([1]), 1); }', false],
  ['() => { assert.throws(() => total(1)); }', false],
  ['() => { const list = [1]; total(list); assert.deepEqual(list, []); }', false],
  ['() => { assert.equal(new Cart().total(), 1); }', false],
])('JavaScript: %s', async (body, expected) => {
  expect(await javascript(body)).toBe(expected);
});

test.each([
  ['vitest', '() => { expect(total([1])).toBe(1); }', true],
  ['vitest', '() => { expect(total([1])).not.toEqual({ a: 1 }); }', true],
  ['vitest', '() => { expect(total([1])).toMatchSnapshot(); }', false],
  ['vitest', '() => { const call = vi.fn(); expect(total([1])).toBe(1); }', false],
  ['jest', '() => { const list = [1]; expect(total(list)).toBe(list); }', false],
  ['mocha', '() => { expect(total([1])).to.deep.equal([1]); }', true],
  ['mocha', '() => { expect(total([1])).to.be.true; }', true],
  ['mocha', '(done) => { total([1], done); }', false],
  ['ava', '(t) => { t.is(total([1]), 1); }', true],
  ['ava', '(t) => { t.throws(() => total(1)); }', false],
  ['ava', '(t) => { t.context.a = 1; }', false],
])('%s: %s', async (runner, body, expected) => {
  const head = JS_HEAD.replace('node:test', runner);
  expect(await isPlain(runner, 'test/a.test.js', 'test/a.test.js::a', `${head}test('a', ${body});\n`)).toBe(expected);
});

test.each([
  ["test.each([[[1], 1]])('a', (given, wanted) => { expect(total(given)).toBe(wanted); });", true],
  ["test.each(makeRows())('a', (given, wanted) => { expect(total(given)).toBe(wanted); });", false],
  ["test('a', (given) => { expect(total(given)).toBe(1); });", false],
])('vitest, with a table: %s', async (text, expected) => {
  const head = JS_HEAD.replace('node:test', 'vitest');
  expect(await isPlain('vitest', 'test/a.test.js', 'test/a.test.js::a', `${head}${text}\n`)).toBe(expected);
});

const UNITTEST = `from unittest import TestCase
from calc import total


class A(TestCase):
    def setUp(self):
        SETUP

    def test_a(self):
        BODY
`;
test.each([
  ['self.prices = [1]', 'self.assertEqual(total(self.prices), 1)', true],
  ['self.prices = make()', 'self.assertEqual(total(self.prices), 1)', false],
  ['os.environ["A"] = "1"', 'self.assertEqual(total([1]), 1)', false],
  ['self.prices = [1]', 'total(self.prices)\n        self.assertEqual(self.prices, [2])', false],
])('unittest: set up with %s: %s', async (setUp, body, expected) => {
  const text = UNITTEST.replace('SETUP', setUp).replace('BODY', body);
  expect(await isPlain('unittest', 'tests/test_a.py', 'tests.test_a.A.test_a', text)).toBe(expected);
});

test('tests are moved out of the tree as a whole, or alone from its root', () => {
  const tree = (files: readonly string[]): string => {
    const dir = mkdtempSync(join(tmpdir(), 'seatrial-apart-'));
    for (const file of [...files, '.git/HEAD']) {
      mkdirSync(dirname(join(dir, 'tree', file)), { recursive: true });
      writeFileSync(join(dir, 'tree', file), file);
    }
    return dir;
  };
  const below = tree(['calc.py', 'tests/test_a.py', 'tests/data/a.json']);
  const flat = tree(['calc.py', 'test_a.py']);
  try {
    const apart = keepApart(join(below, 'tree'), ['tests/test_a.py'], join(below, 'apart'));
    expect(readdirSync(join(below, 'tree'))).toEqual(['calc.py']);
    expect(readFileSync(join(apart.dir, 'data/a.json'), 'utf8')).toBe('tests/data/a.json');
    expect(apart.toApart('tests/test_a.py::test_a')).toBe('test_a.py::test_a');
    expect(apart.toApart('tests.test_a.Case.test_a')).toBe('test_a.Case.test_a');
    const among = tree(['src/calc.js', 'src/calc.test.js']);
    const beside = keepApart(join(among, 'tree'), ['src/calc.test.js'], join(among, 'apart'));
    expect(readdirSync(join(among, 'tree/src'))).toEqual(['calc.js']);
    expect(beside.files).toEqual(['src/calc.test.js']);
    rmSync(among, { recursive: true });
    const alone = keepApart(join(flat, 'tree'), ['test_a.py'], join(flat, 'apart'));
    expect(readdirSync(alone.dir)).toEqual(['test_a.py']);
    expect(alone.files).toEqual(['test_a.py']);
  } finally {
    for (const dir of [below, flat]) rmSync(dir, { recursive: true });
  }
});
