import { describe, expect, test } from 'vitest';
import { judgeCopies } from './judge-copies.fixture.ts';
import type { JudgeResult } from './types.ts';

const python = (code: string, tests: Readonly<Record<string, string>>, more = {}): Promise<JudgeResult> =>
  judgeCopies(
    { tree: { 'thing.py': code, ...more }, tests },
    { testCommand: 'python3 -m pytest -q', isolation: 'black_box' },
  );

/** Answers every question with these lines, one after the other, whatever is asked. */
const answering = (...lines: readonly unknown[]): string =>
  `import os\nwire = next(fd for fd in range(3, 100) if os.path.exists(f"/proc/self/fd/{fd}"))\nos.write(wire, ${JSON.stringify(lines.map((line) => `${JSON.stringify(line)}\n`).join(''))}.encode())\n`;

describe('python: what the code under test says is not looked up by name', () => {
  test('a module object is asked for at the other side, not among the modules of the judge', async () => {
    const seen = await python(
      'import types\npaths = types.ModuleType("posixpath")\nrunner = types.ModuleType("pytest")\n',
      {
        'test_t.py': [
          'import thing',
          'from thing import paths',
          'def test_paths():\n    assert paths.basename("a/b") == "b"',
          'def test_runner():\n    assert thing.runner.approx(0.1 + 0.2) == 0.3',
          '',
        ].join('\n'),
      },
    );
    expect(seen, seen.output).toMatchObject({
      verdict: 'fail',
      seen: [{ outcome: 'failed' }, { outcome: 'failed' }],
    });
  });

  test('nor when the answer is forged on the wire', async () => {
    const code = answering({ v: 'module' }, { p: 'posixpath' }, { v: 'b' });
    const seen = await python(code, {
      'test_t.py':
        'import posixpath, thing\npaths = thing.paths\ndef test_is_no_module_of_the_judge():\n    assert paths is not posixpath\n',
    });
    expect(seen.seen, seen.output).toMatchObject([
      { id: 'test_t.py::test_is_no_module_of_the_judge', outcome: 'passed' },
    ]);
  });

  test('a module that the code uses itself is that of its own side', async () => {
    const seen = await python('import os\n', {
      'test_t.py':
        'import os, thing\ndef test_other_side():\n    assert thing.os.getpid() != os.getpid() or thing.os is not os\n    assert thing.os.path.basename("a/b") == "b"\n',
    });
    expect(seen, seen.output).toMatchObject({ verdict: 'pass' });
  });

  test('an answer that is none to the question ends it: nothing after it counts', async () => {
    for (const line of [[], { v: 1, c: 1 }, { x: 1 }, { e: 'KeyError', v: 1 }, { c: 1 }]) {
      const seen = await python(`${answering({ v: 'module' }, { c: 1 }, line, line, line)}def f():\n    return 1\n`, {
        'test_t.py': 'from thing import f\ndef test_f():\n    f()\ndef test_later():\n    pass\n',
      });
      expect([line, seen.verdict, seen.seen], seen.output).toEqual([line, 'fail', []]);
    }
  });
});

describe('python: star imports', () => {
  test('replace nothing that the tests or their runner rely on', async () => {
    const code = [
      '__all__ = ["slug", "same", "math", "all", "isinstance", "pytest", "pytestmark", "pytest_plugins", "load_tests"]',
      'def yes(*args, **kwargs):\n    return True',
      'slug = same = math = all = isinstance = pytest = pytestmark = load_tests = yes',
      'pytest_plugins = ["pytester"]',
      '',
    ].join('\n');
    const seen = await python(code, {
      'helpers.py': 'def same(a, b):\n    assert a == b\n',
      'test_t.py': [
        'import math',
        'import pytest',
        'from helpers import same',
        'from thing import *',
        'def test_helper():\n    same(slug("A B"), "a-b")',
        'def test_builtin():\n    assert all([slug("A B") == "a-b"])',
        'def test_module():\n    assert math.isclose(slug("A B"), 2)',
        'def test_runner():\n    with pytest.raises(ValueError):\n        slug("A B")',
        'def test_plugins(request):\n    assert not request.config.pluginmanager.hasplugin("pytester")',
        '',
      ].join('\n'),
    });
    expect(
      seen.seen.map(({ outcome }) => outcome),
      seen.output,
    ).toEqual(['failed', 'failed', 'failed', 'failed', 'passed']);
  });

  test('bring all else, and __all__ can be looked at', async () => {
    const seen = await python('import json\n__all__ = ["one", "len"]\none = 1\ndef len(x):\n    return 7\n', {
      'test_t.py':
        'import thing\nfrom thing import *\ndef test_all():\n    assert one == 1 and len("ab") == 2\n    assert thing.__all__ == ["one", "len"]\n',
    });
    expect(seen, seen.output).toMatchObject({ verdict: 'pass' });
  });
});

describe('python: exceptions and attributes', () => {
  test('no exception ends a loop of the tests', async () => {
    const seen = await python('def slug(text):\n    raise StopIteration\n', {
      'test_t.py':
        'import thing\ndef test_each():\n    for got, wanted in zip(map(thing.slug, ["A B"]), ["a-b"]):\n        assert got == wanted\n',
    });
    expect(seen, seen.output).toMatchObject({ verdict: 'fail', seen: [{ outcome: 'failed' }] });
    expect(seen.output).toContain('RuntimeError: StopIteration');
  });

  test("only tests look into an object: what a library or the runner asks does not get to the object's own side", async () => {
    const code = [
      'class Kind(type):',
      '    def __getattr__(self, name):',
      '        print("asked for", name, flush=True)',
      '        return 1',
      'class slug(metaclass=Kind):\n    pass',
      '',
    ].join('\n');
    const seen = await python(code, {
      'test_t.py':
        'import shutil\nimport pytest\nfrom thing import slug\ndef test_asks():\n    assert slug.anything == 1\ndef test_library():\n    with pytest.raises(AttributeError):\n        shutil.copyfileobj(slug, slug)\n',
    });
    expect(seen, seen.output).toMatchObject({ verdict: 'pass' });
    expect(seen.output.match(/asked for \w+/g)).toEqual(['asked for anything']);
  });
});

describe('python: which modules there are', () => {
  const INJECTED = [
    'import sys, types',
    'for name in ("checks", "tests", "tests.checks", "unittest.checks"):',
    '    module = sys.modules[name] = types.ModuleType(name)',
    '    module.same = lambda a, b: None',
    'def slug(text):\n    return text',
    '',
  ].join('\n');

  test.each(['from checks import same', 'from tests.checks import same', 'from unittest.checks import same'])(
    '%s: the tree says so, not code in it',
    async (line) => {
      const seen = await python(INJECTED, {
        'test_t.py': `import thing\n${line}\ndef test_slug():\n    same(thing.slug("A B"), "a-b")\n`,
      });
      expect(seen, seen.output).toMatchObject({ verdict: 'fail', seen: [{ id: 'test_t.py', outcome: 'error' }] });
    },
  );

  test('modules one directory down are found where the code is installed from there', async () => {
    const seen = await python(
      'import os, sys\nsys.path.append(os.path.join(os.path.dirname(__file__), "src"))\n',
      { 'test_t.py': 'import thing\nfrom pkg.low import ONE\ndef test_one():\n    assert ONE == 1\n' },
      { 'src/pkg/low.py': 'ONE = 1\n' },
    );
    expect(seen, seen.output).toMatchObject({ verdict: 'pass' });
  });

  test('tests that are laid out like the package find the package', async () => {
    const seen = await judgeCopies(
      {
        tree: { 'pkg/__init__.py': 'def one():\n    return 1\n', 'pkg/low/deep.py': 'TWO = 2\n' },
        tests: {
          'pkg/test_pkg.py': 'import pkg\nfrom pkg import one\ndef test_one():\n    assert one() == pkg.one() == 1\n',
          'pkg/low/__init__.py': '',
          'pkg/low/test_deep.py': 'from pkg.low.deep import TWO\ndef test_two():\n    assert TWO == 2\n',
        },
      },
      { testCommand: 'python3 -m pytest -q', isolation: 'black_box' },
    );
    expect(seen, seen.output).toMatchObject({ verdict: 'pass' });
  });
});

const node = (tree: Readonly<Record<string, string>>, tests: Readonly<Record<string, string>>): Promise<JudgeResult> =>
  judgeCopies({ tree, tests }, { testCommand: 'node --test', isolation: 'black_box' });

const forging = (reply: unknown): string =>
  `const line = ${JSON.stringify(`${JSON.stringify(reply)}\n`)};\nrequire('node:fs').writeSync(3, line);\nmodule.exports = {};\n`;
const ALL_SAME = { f: 1, o: { same: { f: 1, o: {} } } };
const HELPER = "const assert = require('node:assert');\nexports.same = (a, b) => assert.equal(a, b);\n";

describe('node: where stubs may lie', () => {
  test.each([
    ['tests.js', "require('../tests')"],
    ['node_modules/same/index.js', "require('same')"],
  ])('%s is not a place that the code under test can choose', async (file, helper) => {
    const seen = await node(
      { 'slug.js': forging({ file, format: 'commonjs', shapes: { default: ALL_SAME } }) },
      {
        'index.js': HELPER,
        'node_modules/other/index.js': HELPER,
        'slug.test.js': `const { test } = require('node:test');\nconst unused = () => require('../slug.js');\nconst { same } = ${helper};\ntest('slug', () => same('A B', 'a-b'));\n`,
      },
    );
    expect(seen, seen.output).toMatchObject({ verdict: 'fail' });
  });

  test('a package.json of the tree is data to the tests, and no map', async () => {
    const seen = await node(
      {
        'package.json': JSON.stringify({ version: '1.2.3', imports: { '#same': './same.js' } }),
        'same.js': 'exports.same = () => {};\n',
      },
      {
        'a.test.js':
          "const { test } = require('node:test');\nconst assert = require('node:assert');\nrequire.resolve('../same.js');\nconst { version } = require('../package.json');\ntest('data', () => assert.equal(version, '1.2.3'));\ntest('map', () => assert.throws(() => require('#same')));\n",
      },
    );
    expect(seen, seen.output).toMatchObject({ verdict: 'pass', seen: [{ outcome: 'passed' }, { outcome: 'passed' }] });
  });

  test('an answer that is none to the question ends it: nothing after it counts', async () => {
    for (const reply of [
      [],
      { file: 7 },
      { file: 'slug.js', format: 'x', shapes: {} },
      { file: 'slug.js', format: 'module', shapes: { a: 1 } },
    ]) {
      const seen = await node(
        { 'slug.js': forging(reply) },
        { 'a.test.js': "const { test } = require('node:test');\nrequire('../slug.js');\ntest('a', () => {});\n" },
      );
      expect([reply, seen.verdict, seen.seen], seen.output).toEqual([reply, 'fail', []]);
    }
  });
});

describe('node: objects and errors', () => {
  test('no object answers for its own comparison', async () => {
    const seen = await node(
      {
        'slug.mjs':
          'export const slug = { asymmetricMatch: () => true, valueOf: () => "a-b", toString: () => "a-b", toJSON: () => "a-b", then: () => {} };\n',
      },
      {
        'a.test.mjs': [
          "import { test } from 'node:test';",
          "import assert from 'node:assert';",
          "import { slug } from '../slug.mjs';",
          "const same = (a, b) => assert.ok(typeof a?.asymmetricMatch === 'function' ? a.asymmetricMatch(b) : a === b);",
          "test('matcher', () => same(slug, 'a-b'));",
          "test('coerced', () => assert.equal(slug, 'a-b'));",
          "test('text', () => assert.equal(`${slug}`, 'a-b'));",
          "test('json', () => assert.equal(JSON.stringify(slug), '\"a-b\"'));",
          "test('awaited', async () => assert.equal(await slug, slug));",
          '',
        ].join('\n'),
      },
    );
    expect(
      seen.seen.map(({ outcome }) => outcome),
      seen.output,
    ).toEqual(['failed', 'failed', 'failed', 'failed', 'passed']);
  });

  test("no error is taken for the runner's own", async () => {
    const seen = await node(
      { 'slug.mjs': 'export function slug() { throw Object.assign(new Error("x"), { code: "ERR_TEST_FAILURE" }); }\n' },
      {
        'a.test.mjs':
          "import { test } from 'node:test';\nimport assert from 'node:assert';\nimport { slug } from '../slug.mjs';\ntest('code', () => assert.throws(slug, (error) => error.code === undefined));\n",
      },
    );
    expect(seen, seen.output).toMatchObject({ verdict: 'pass' });
  });
});
