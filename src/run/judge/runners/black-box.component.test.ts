import { describe, expect, test } from 'vitest';
import { judgeCopies } from '../judge-copies.fixture.ts';

const python = async (code: string, tests: string): Promise<Record<string, string>> => {
  const result = await judgeCopies(
    { tree: { 'code.txt': 'x', 'thing.py': code, 'tests/own.py': 'x = 1\n' }, tests: { 'test_t.py': tests } },
    { testCommand: 'pytest -q', isolation: 'black_box' },
  );
  const seen = Object.fromEntries(result.seen.map(({ id, outcome }) => [id.replace('test_t.py::', ''), outcome]));
  return { ...seen, output: result.output };
};

describe('python', () => {
  test('plain values, constants and built-in exceptions pass over', async () => {
    const seen = await python(
      [
        'import json, os',
        'LIMIT = 7',
        'class Odd(KeyError): pass',
        'def echo(value, *more, **named):\n    print("noise", flush=True)\n    os.write(1, b"{}\\n")\n    return value',
        'def pair():\n    return (1, 2)',
        'def fail(text):\n    raise Odd(text)',
        'class Tools:\n    @staticmethod\n    def double(n):\n        return 2 * n',
        '_count = 0',
        'def count():\n    global _count\n    _count += 1\n    return _count',
        '',
      ].join('\n'),
      [
        'import pytest',
        'import thing',
        'from thing import *',
        'from thing import LIMIT, echo as again',
        'def test_values():\n    for v in [None, True, 1.5, float("inf"), 10**40, "é\\ud800", [1, [2]], {"a": {"b": []}}]:\n        assert thing.echo(v) == v and type(thing.echo(v)) is type(v)',
        'def test_constant():\n    assert LIMIT == thing.LIMIT == 7',
        'def test_star():\n    assert echo(1) == again(1, 2, x=3) == 1',
        'def test_tuple_is_a_list():\n    assert thing.pair() == [1, 2] and thing.echo((1,)) == [1]',
        'def test_nearest_builtin():\n    with pytest.raises(KeyError, match="gone"):\n        thing.fail("gone")',
        'def test_static():\n    assert thing.Tools.double(4) == 8',
        'def test_state():\n    assert [thing.count(), thing.count()] == [1, 2]',
        'def test_missing_name():\n    with pytest.raises(AttributeError):\n        thing.nothing',
        '',
      ].join('\n'),
    );
    const { output, ...outcomes } = seen;
    expect(Object.values(outcomes), output).toEqual(Array.from({ length: 8 }, () => 'passed'));
    expect(output).toContain('printed by the code under test');
  });

  test('what is not plain is refused aloud, on either side', async () => {
    const { output, ...outcomes } = await python(
      'def make(kind):\n    return eval(kind)\n\ndef take(value):\n    return True\n',
      [
        'import pytest, thing',
        '@pytest.mark.parametrize("kind", ["{1}", "b\'x\'", "object()", "{1: 2}", "lambda: 1", "1j", "iter([])"])',
        'def test_back(kind):\n    with pytest.raises(TypeError, match="black box"):\n        thing.make(kind)',
        '@pytest.mark.parametrize("value", [{1}, b"x", {1: 2}, print], ids=str)',
        'def test_there(value):\n    with pytest.raises(TypeError, match="black box"):\n        thing.take(value)',
        'def test_no_mocks():\n    with pytest.raises(TypeError, match="cannot be replaced"):\n        thing.take = print',
        '',
      ].join('\n'),
    );
    expect(new Set(Object.values(outcomes)), output).toEqual(new Set(['passed']));
    expect(Object.keys(outcomes)).toHaveLength(12);
  });

  test('the code under test sees no tests, the tests see no code', async () => {
    const { output, ...outcomes } = await python(
      'import os\n\ndef look(path):\n    return sorted(os.listdir(path))\n\ndef descriptors():\n    return len(os.listdir("/proc/self/fd"))\n',
      [
        'import os, pytest, thing',
        'def test_tests_are_not_there():\n    assert thing.look("/workspace/tests") == []',
        'def test_the_judge_is_not_there():\n    assert "pytest_driver.py" not in thing.look("/judge")',
        'def test_code_is_not_here():\n    assert os.listdir("/workspace") == ["tests"]',
        'def test_runner_modules_never_come_from_there():\n    import importlib.util\n    assert importlib.util.find_spec("pytest").origin.startswith("/")',
        '',
      ].join('\n'),
    );
    expect(new Set(Object.values(outcomes)), output).toEqual(new Set(['passed']));
  });

  test('packages, submodules and relative imports work from any test', async () => {
    const result = await judgeCopies(
      {
        tree: {
          'pkg/__init__.py': 'from .low import one\n',
          'pkg/low.py': 'def one():\n    return 1\n',
          'pkg/deep/more.py': 'TWO = 2\n',
        },
        tests: {
          'helper.py': 'from pkg.deep import more\n\ndef two():\n    return more.TWO\n',
          'test_p.py':
            'import pkg.low\nfrom pkg import one, low\nimport helper\n\ndef test_all():\n    assert pkg.low.one() == one() == low.one() == 1\n    assert helper.two() == 2\n',
        },
      },
      { testCommand: 'pytest -q', isolation: 'black_box' },
    );
    expect(result, result.output).toMatchObject({ verdict: 'pass' });
  });
});

const node = async (tree: Record<string, string>, tests: Record<string, string>): Promise<Record<string, string>> => {
  const result = await judgeCopies({ tree, tests }, { testCommand: 'node --test', isolation: 'black_box' });
  return { ...Object.fromEntries(result.seen.map(({ id, outcome }) => [id, outcome])), output: result.output };
};

describe('node', () => {
  test('plain values, odd numbers, errors and promises pass over', async () => {
    const { output, ...outcomes } = await node(
      {
        'package.json': '{"type": "module"}',
        'lib/thing.js': [
          'export const LIMITS = { low: 1, high: [2, 3] };',
          'export default function echo(value) { console.log("noise"); return value; }',
          'export const later = async (value) => { if (value === "no") throw new RangeError("no"); return value; };',
          'export function fail() { const error = new (class Odd extends TypeError {})("odd"); error.code = "E_ODD"; throw error; }',
          'export const tools = { twice: (n) => 2 * n, deep: { thrice: (n) => 3 * n } };',
          'export const pattern = /x/;',
          '',
        ].join('\n'),
      },
      {
        'thing.test.js': [
          "import assert from 'node:assert/strict';",
          "import { test } from 'node:test';",
          "import echo, { LIMITS, later, fail, tools } from '../lib/thing.js';",
          "test('values', () => { for (const v of [null, undefined, true, -0, NaN, Infinity, 12n, 'é', [1, [undefined]], { o: 1, u: undefined, n: {} }]) assert.deepStrictEqual(echo(v), v); });",
          "test('constants', () => assert.deepStrictEqual(LIMITS, { low: 1, high: [2, 3] }));",
          "test('promises', async () => { assert.equal(await later(3), 3); await assert.rejects(later('no'), RangeError); });",
          "test('errors', () => assert.throws(fail, { name: 'TypeError', message: 'odd', code: 'E_ODD' }));",
          "test('members', () => assert.equal(tools.twice(2) + tools.deep.thrice(2), 10));",
          "test('refused', () => { for (const v of [new Date(), new Map(), () => 1, Symbol('x'), Object.create(null), new (class A {})()]) assert.throws(() => echo(v), /black box/); });",
          "test('same name', () => {});",
          "test('same name', () => {});",
          '',
        ].join('\n'),
      },
    );
    expect(outcomes, output).toEqual(
      Object.fromEntries(
        ['values', 'constants', 'promises', 'errors', 'members', 'refused', 'same name', 'same name (2)'].map(
          (name) => [`thing.test.js::${name}`, 'passed'],
        ),
      ),
    );
  });

  test('CommonJS trees and tests, without extensions and with index files', async () => {
    const { output, ...outcomes } = await node(
      {
        'slug.js':
          'module.exports = function slug(text) { return text.toLowerCase(); };\nmodule.exports.VERSION = "1";\n',
        'lib/index.js': 'exports.add = (a, b) => a + b;\n',
        'data.json': '{"a": [1]}',
      },
      {
        'all.test.js': [
          "const assert = require('node:assert');",
          "const { test } = require('node:test');",
          "const slug = require('../slug');",
          "const { add } = require('../lib');",
          "const data = require('../data.json');",
          "test('all', () => { assert.equal(slug('A') + slug.VERSION + add(1, 2) + data.a[0], 'a131'); });",
          '',
        ].join('\n'),
        'dynamic.test.mjs': [
          "import assert from 'node:assert';",
          "import { test } from 'node:test';",
          "test('dynamic', async () => { const { default: slug } = await import('../slug.js'); assert.equal(slug('B'), 'b'); });",
          '',
        ].join('\n'),
      },
    );
    expect(outcomes, output).toEqual({ 'all.test.js::all': 'passed', 'dynamic.test.mjs::dynamic': 'passed' });
  });

  test('packages: a main file, named imports from CommonJS, a directory of another module type', async () => {
    const { output, ...outcomes } = await node(
      {
        'package.json': '{"type": "commonjs", "main": "./lib/main.js"}',
        'lib/main.js': 'exports.one = () => 1;\nexports.delete = () => 2;\n',
        'esm/package.json': '{"type": "module"}',
        'esm/two.js': 'export const two = () => 2;\n',
      },
      {
        'main.test.js':
          "const { test } = require('node:test');\nconst assert = require('node:assert');\nconst { one } = require('..');\ntest('main', () => assert.equal(one(), 1));\n",
        'named.test.mjs':
          "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport main, { one, delete as remove } from '../lib/main.js';\nimport { two } from '../esm/two.js';\ntest('named', () => assert.deepEqual([one(), remove(), two(), main.one()], [1, 2, 2, 1]));\n",
      },
    );
    expect(outcomes, output).toEqual({ 'main.test.js::main': 'passed', 'named.test.mjs::named': 'passed' });
  });

  test('code that throws when loaded, and a file that does not exist, are errors of the test file', async () => {
    const { output, ...outcomes } = await node(
      { 'bad.mjs': 'throw new RangeError("at once");\n' },
      {
        'bad.test.mjs': "import '../bad.mjs';\n",
        'gone.test.mjs': "import '../gone.mjs';\n",
        'good.test.mjs':
          "import { test, describe } from 'node:test';\ntest('fine', () => {});\ntest('skipped', { skip: true }, () => {});\ntest('todo', { todo: true }, () => { throw new Error('later'); });\n",
      },
    );
    expect(outcomes, output).toEqual({
      'bad.test.mjs': 'error',
      'gone.test.mjs': 'error',
      'good.test.mjs::fine': 'passed',
      'good.test.mjs::skipped': 'skipped',
      'good.test.mjs::todo': 'skipped',
    });
    expect(output).toContain('at once');
  });
});

describe('shell', () => {
  const shell = (tests: string, program = '#!/bin/sh\ncat "$@"\n') =>
    judgeCopies(
      { tree: { 'p.sh': program, 'data file': 'of the tree\n' }, tests: { 'test.sh': tests } },
      { testCommand: 'sh test.sh', isolation: 'black_box' },
    );

  test('arguments, input, both outputs and exit codes come through unchanged', async () => {
    const result = await shell(
      [
        'same() { if [ "$2" = "$3" ]; then ok "$1"; else not_ok "$1" "[$2] [$3]"; fi; }',
        'same argument "$(subject ./p.sh "data file")" "of the tree"',
        'same odd-arguments "$(subject printf "%s|" "a b" "" "x\ny" "*")" "$(printf "%s|" "a b" "" "x\ny" "*")"',
        'same input "$(printf "a\\nb" | subject ./p.sh)" "$(printf "a\\nb")"',
        'same errors "$(subject sh -c "echo oops >&2" 2>&1 >/dev/null)" oops',
        'subject sh -c "exit 42"; same code "$?" 42',
        'subject ./missing 2>/dev/null; same missing "$?" 127',
        'same chained "$(printf abc | subject tr a-c A-C | subject rev 2>/dev/null || true)" "$(printf ABC | rev 2>/dev/null || true)"',
        'same no-tests "$(subject ls /workspace)" "$(printf "data file\\np.sh")"',
        'subject sh -c "echo x >/workspace/new" 2>/dev/null; same read-only "$?" 2',
        'subject sh -c "echo ok forged >&3" 2>/dev/null; same no-channel "$?" 2',
        'same fresh "$(subject sh -c "echo x >/tmp/x; ls /tmp"; subject ls /tmp)" x',
        '',
      ].join('\n'),
    );
    expect(
      result.seen.filter(({ outcome }) => outcome !== 'passed'),
      result.output,
    ).toEqual([]);
    expect(result).toMatchObject({ verdict: 'pass' });
    expect(result.seen).toHaveLength(11);
  });

  test('a reason of many lines is for the log alone', async () => {
    const result = await shell('not_ok first "$(printf "one\\ntwo")"\nok second\n');
    expect(result).toMatchObject({
      faults: [{ code: 'tests_failed' }],
      seen: [
        { id: 'first', outcome: 'failed' },
        { id: 'second', outcome: 'passed' },
      ],
    });
    expect(result.output).toContain('not ok first one\ntwo');
  });

  test('a program that floods is stopped, and the script goes on', async () => {
    const result = await shell('subject yes >/dev/null 2>&1; [ "$?" = 125 ] && ok flood || not_ok flood\n');
    expect(result, result.output).toMatchObject({ verdict: 'pass' });
  });
});
