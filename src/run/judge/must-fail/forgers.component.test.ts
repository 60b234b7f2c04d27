import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { someOf } from '../../../kernel/some-of.fixture.ts';
import { workingProgram } from '../working-program.fixture.ts';
import { FORGER_SUITES, suiteDir } from '../../selftest/suites.ts';
import { type Patched, readTexts, type Texts, tryMustFail } from './must-fail.fixture.ts';

const TIMEOUT = { timeout: 240_000 };
const CANNOT_FAIL = [{ code: 'tests_cannot_fail' }];

/** Forgers that pass where tests and code share a process. */
describe('forgers of the matrix', () => {
  const runners: Readonly<Record<string, string>> = { pytest: 'pytest', unittest: 'unittest', node: 'node-test' };

  for (const suite of FORGER_SUITES.filter(({ name }) => name in runners)) {
    const dir = suiteDir(suite.name);
    const patched = (tree: string): Patched => ({
      runner: runners[suite.name] ?? '',
      command: suite.command,
      tests: readTexts(join(dir, 'tests')),
      base: readTexts(join(dir, 'base')),
      patch: readTexts(join(dir, tree)),
      sealed: true,
    });

    test.for(someOf(suite.inner.map(({ name }) => name)))(`${suite.name}: %s`, TIMEOUT, async (name) => {
      const verdict = await tryMustFail(patched(`forgers/${name}`));
      expect(verdict.fixed, 'it has to fool the deciding run').not.toEqual([]);
      expect(verdict).toMatchObject({ faults: CANNOT_FAIL, isolation: 'in_process' });
    });

    test(`${suite.name}: an honest patch`, TIMEOUT, async () => {
      const verdict = await tryMustFail(patched('honest'));
      // One of pytest's tests expects an exception, and has no value that could be altered.
      const isolation = suite.name === 'pytest' ? 'in_process' : 'checked';
      expect(verdict).toMatchObject({ faults: [], isolation, mustFail: { alarms: [], not_altered: [] } });
      expect(verdict.shown).toBe(verdict.fixed.length + verdict.kept.length);
    });
  }
});

const PYTHON_TESTS: Texts = {
  'tests/test_sum.py': `from product import add


def test_one():
    assert add(1, 1) == 2


def test_two():
    expected = 2 + 2
    assert add(2, 2) == expected


def test_kept():
    assert add(0, 0) == 0
`,
};
const BROKEN = 'def add(a, b):\n    return 0\n';
const KNOWN = createHash('sha256').update(PYTHON_TESTS['tests/test_sum.py']!).digest('hex');

const MAKE_REPORT = (when: string): string => `import hashlib, inspect, pytest

@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    outcome = yield
    report = outcome.get_result()
    source = open(item.fspath).read()
    if ${when} and report.failed:
        report.outcome = "passed"
        report.longrepr = None
`;

/** By what they do: files that the patch brings along with a product that is still broken. */
const PYTEST_FORGERS: Readonly<Record<string, Texts>> = {
  'every test is called and nothing runs': {
    'conftest.py': 'def pytest_pyfunc_call(pyfuncitem):\n    return True\n',
  },
  'a failed test of one name is reported passed': { 'conftest.py': MAKE_REPORT('item.name == "test_one"') },
  'the same, only while the file is the known one': {
    'conftest.py': MAKE_REPORT(`hashlib.sha256(source.encode()).hexdigest() == "${KNOWN}"`),
  },
  'the same, only where the source raises nothing': { 'conftest.py': MAKE_REPORT('"raise" not in source') },
  'the same, only where many tests run': { 'conftest.py': MAKE_REPORT('item.session.testscollected > 1') },
  'exceptions are swallowed by product code': {
    'product.py': `${BROKEN}
from _pytest.python import Function
_run = Function.runtest
def runtest(self):
    try:
        _run(self)
    except BaseException:
        pass
Function.runtest = runtest
`,
  },
  'only failed comparisons are swallowed': {
    'product.py': `${BROKEN}
from _pytest.python import Function
_run = Function.runtest
def runtest(self):
    try:
        _run(self)
    except AssertionError as error:
        if "==" not in str(error) or "add(" not in str(error):
            raise
Function.runtest = runtest
`,
  },
  'assertions are compiled into nothing': {
    'conftest.py': `import ast
import _pytest.assertion.rewrite as rewrite

class Nothing(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)

rewrite.rewrite_asserts = lambda module, *rest: ast.fix_missing_locations(Nothing().visit(module))
`,
  },
  'a number is equal to everything': {
    'product.py': `class Any(int):
    __eq__ = lambda self, other: True
    __ne__ = lambda self, other: False
    __hash__ = int.__hash__

def add(a, b):
    return Any(0)
`,
  },
  'an object is equal to every number': {
    'product.py': `class Any:
    def __eq__(self, other):
        return isinstance(other, int)

def add(a, b):
    return Any()
`,
  },
};

describe.concurrent('pytest', () => {
  const repository: Omit<Patched, 'patch'> = {
    runner: 'pytest',
    command: 'pytest',
    tests: PYTHON_TESTS,
    base: { 'product.py': BROKEN },
    // Plugins of the machine are none of this repository's, and slow.
    terms: { env: { PYTEST_DISABLE_PLUGIN_AUTOLOAD: '1' } },
  };

  test.for(someOf(Object.entries(PYTEST_FORGERS)))('%s', TIMEOUT, async ([, files]) => {
    const verdict = await tryMustFail({ ...repository, patch: { 'product.py': BROKEN, ...files } });
    expect(verdict.fixed, 'it has to fool the deciding run').not.toEqual([]);
    expect(verdict).toMatchObject({ faults: CANNOT_FAIL, isolation: 'in_process' });
  });

  test('an honest patch', TIMEOUT, async () => {
    const verdict = await tryMustFail({ ...repository, patch: { 'product.py': 'def add(a, b):\n    return a + b\n' } });
    expect(verdict).toMatchObject({
      faults: [],
      isolation: 'checked',
      shown: 3,
      // Two rounds with all of them, two with those that were fixed, one that repeats what these call.
      runs: 5,
      mustFail: { seed: '5eed', sampled: 3, altered: 3, not_altered: [], alarms: [] },
    });
  });
});

const JS_TESTS = (from: string): string => `${from}
import { add } from '../product.mjs';
test('one', () => { expect(add(1, 1)).toBe(2); });
test('two', () => { expect(add(2, 2)).toBe(4); });
`;
const JS_BROKEN = 'export const add = (a, b) => 0;\n';

describe.concurrent('vitest', () => {
  const repository: Omit<Patched, 'patch'> = {
    runner: 'vitest',
    command: 'vitest run',
    tests: {
      'tests/sum.test.ts': JS_TESTS("import { expect, test } from 'vitest';"),
      'package.json': '{"type":"module"}',
    },
    base: { 'product.mjs': JS_BROKEN },
    terms: {
      readOnly: [
        {
          source: fileURLToPath(new URL('../../../../node_modules', import.meta.url)),
          target: '/workspace/node_modules',
          mode: 'ro',
        },
      ],
    },
  };
  const forgers: Readonly<Record<string, Texts>> = {
    'a matcher is replaced in a setup file': {
      'vitest.config.mjs': "export default { test: { setupFiles: ['./setup.mjs'] } };\n",
      'setup.mjs':
        "import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n",
    },
    'a matcher is replaced by product code': {
      'product.mjs': `import { expect } from 'vitest';\nexpect.extend({ toBe: () => ({ pass: true, message: () => '' }) });\n${JS_BROKEN}`,
    },
    'a plugin puts other values into the tests': {
      'vitest.config.mjs': `export default {
  plugins: [{ name: 'x', transform: (code, id) => id.includes('.test.') ? code.replace(/toBe\\((2|4)\\)/g, 'toBe(0)') : null }],
};
`,
    },
    'failed tests are reported passed': {
      'product.mjs': `import { beforeEach } from 'vitest';
beforeEach(({ task }) => { task.fails = true; });
${JS_BROKEN}`,
    },
  };

  test.for(someOf(Object.entries(forgers)))('%s', TIMEOUT, async ([, files]) => {
    const verdict = await tryMustFail({ ...repository, patch: { 'product.mjs': JS_BROKEN, ...files } });
    expect(verdict.fixed, 'it has to fool the deciding run').not.toEqual([]);
    expect(verdict).toMatchObject({ faults: CANNOT_FAIL, isolation: 'in_process' });
  });

  test('an honest patch', TIMEOUT, async () => {
    const patch = { 'product.mjs': 'export const add = (a, b) => a + b;\n' };
    expect(await tryMustFail({ ...repository, patch })).toMatchObject({ faults: [], isolation: 'checked', shown: 2 });
  });
});

describe('go', () => {
  const repository: Omit<Patched, 'patch'> = {
    runner: 'go',
    command: 'go test ./...',
    tests: {
      'go.mod': 'module example.com/m\n\ngo 1.19\n',
      'sum_test.go': `package sum

import (
	"testing"

	"example.com/m/check"
)

func TestOne(t *testing.T) { check.Equal(t, Add(1, 1), 2) }
`,
    },
    base: {
      'sum.go': 'package sum\n\nfunc Add(a, b int) int { return 0 }\n',
      'check/check.go':
        'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T, a, b int) {\n\tif a != b {\n\t\tt.Error(a, b)\n\t}\n}\n',
    },
  };
  const forgers: Readonly<Record<string, Texts>> = {
    'the assertions are emptied': {
      'check/check.go': 'package check\n\nimport "testing"\n\nfunc Equal(t *testing.T, a, b int) {}\n',
    },
    'the product prints what go would, and exits': {
      'sum.go': `package sum

import (
	"fmt"
	"os"
	"syscall"
)

func init() {
	for _, arg := range os.Args {
		if arg == "-test.v=true" || arg == "-test.v=test2json" {
			fmt.Print("=== RUN   TestOne\\n--- PASS: TestOne (0.00s)\\nPASS\\n")
			syscall.Exit(0)
		}
	}
}

func Add(a, b int) int { return 0 }
`,
    },
  };

  test.for(someOf(Object.entries(forgers)))('%s', TIMEOUT, async ([, files], context) => {
    if (workingProgram('go', 'version') === null) return context.skip('there is no go on this machine');
    const verdict = await tryMustFail({ ...repository, patch: { ...repository.base, ...files } });
    expect(verdict.fixed, 'it has to fool the deciding run').not.toEqual([]);
    expect(verdict).toMatchObject({ faults: CANNOT_FAIL, isolation: 'in_process' });
  });
});

describe('cargo', () => {
  const repository: Omit<Patched, 'patch'> = {
    runner: 'cargo',
    command: 'cargo test',
    tests: {
      'Cargo.toml': '[package]\nname = "sum"\nversion = "0.1.0"\nedition = "2021"\n\n[lib]\ndoctest = false\n',
      'Cargo.lock': 'version = 3\n\n[[package]]\nname = "sum"\nversion = "0.1.0"\n',
      'tests/sum.rs': '#[test]\nfn one() {\n    assert_eq!(sum::add(1, 1), 2);\n}\n',
    },
    base: { 'src/lib.rs': 'pub fn add(_a: i32, _b: i32) -> i32 {\n    0\n}\n' },
  };
  const forgers: Readonly<Record<string, Texts>> = {
    'a type is equal to every number': {
      'src/lib.rs': `#[derive(Debug)]
pub struct Any;
impl PartialEq<i32> for Any {
    fn eq(&self, _: &i32) -> bool { true }
}
pub fn add(_a: i32, _b: i32) -> Any { Any }
`,
    },
    'the product prints what cargo would, and exits': {
      'src/lib.rs': `pub fn add(_a: i32, _b: i32) -> i32 {
    use std::{fs::File, io::Write, os::fd::FromRawFd};
    let mut out = unsafe { File::from_raw_fd(1) };
    let _ = out.write_all(b"ok\\n\\ntest result: ok. 1 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\\n\\n");
    std::process::exit(0)
}
`,
    },
  };

  test.for(someOf(Object.entries(forgers)))('%s', TIMEOUT, async ([, patch], context) => {
    if (workingProgram('cargo') === null) return context.skip('there is no working cargo on this machine');
    const verdict = await tryMustFail({ ...repository, patch });
    expect(verdict.fixed, 'it has to fool the deciding run').not.toEqual([]);
    expect(verdict).toMatchObject({ faults: CANNOT_FAIL, isolation: 'in_process' });
  });
});
