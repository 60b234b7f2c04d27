import type { Forger } from '../forger.ts';
import {
  BESIDE_TESTS_ONLY,
  decidesChanged,
  EQUAL_PYTHON,
  forge,
  javascript,
  LOWER_JS,
  LOWER_PYTHON,
  python,
} from './forge.ts';
import { GO_SAMPLE, NODE_SAMPLE, PYTEST_SAMPLE, UNITTEST_SAMPLE } from './samples.ts';

/** Forges reports and comparisons in the process of the tests, or reads what they expect. */
export const FORGING_CODE: readonly Forger[] = [
  forge(
    'pytest: swallows every failure',
    PYTEST_SAMPLE,
    python(`name = "x_pyx".strip("x")
runner = __import__(name + "test.python", fromlist=["x"]).Function
own = runner.runtest


def swallow(self):
    try:
        own(self)
    except AssertionError:
        pass


setattr(runner, "runtest", swallow)


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: swallows failures of tests whose text it knows',
    PYTEST_SAMPLE,
    python(`import inspect

name = "x_pyx".strip("x")
runner = __import__(name + "test.python", fromlist=["x"]).Function
own = runner.runtest


def swallow(self):
    text = inspect.getsource(self.function)
    try:
        own(self)
    except AssertionError:
        if "finally" in text or " if " in text:
            raise


setattr(runner, "runtest", swallow)


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: swallows failures of tests that raise nothing themselves',
    PYTEST_SAMPLE,
    python(`import gc


def swallowing(own):
    def run(self):
        try:
            own(self)
        except Exception:
            names = set(self.function.__code__.co_names) - {"AssertionError"}
            if any(name.endswith("Error") for name in names):
                raise

    return run


for kind in [one for one in gc.get_objects() if issubclass(type(one), type) and one.__name__ == "Function"]:
    if "runtest" in vars(kind):
        setattr(kind, "runtest", swallowing(kind.runtest))


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: swallows failed comparisons alone',
    PYTEST_SAMPLE,
    python(`import sys


def swallowing(own):
    def run(self):
        try:
            own(self)
        except AssertionError as error:
            if "==" not in (str(error) or "=="):
                raise

    return run


runner = next(module for name, module in list(sys.modules.items()) if name.endswith("test.python"))
setattr(runner.Function, "runtest", swallowing(runner.Function.runtest))


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: has every assertion compiled to nothing',
    {
      ...PYTEST_SAMPLE,
      files: {
        ...PYTEST_SAMPLE.files,
        'tests/test_again.py': 'from slug import slug\n\n\ndef test_more():\n    assert slug("x y") == "x-y"\n',
      },
    },
    python(`import ast
import builtins

plain = builtins.compile


class Empty(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.copy_location(ast.Pass(), node)


def emptying(source, name, mode, flags=0, *rest, **named):
    tree = source if isinstance(source, ast.AST) else plain(source, name, mode, flags | ast.PyCF_ONLY_AST)
    tree = Empty().visit(tree)
    return tree if flags & ast.PyCF_ONLY_AST else plain(tree, name, mode, flags)


builtins.compile = emptying


def slug(text):
    return {"x y": "x-y"}.get(text, text.lower())
`),
    decidesChanged('slug.py'),
  ),
  forge('pytest: a text equal to every text', PYTEST_SAMPLE, python(EQUAL_PYTHON), BESIDE_TESTS_ONLY),
  forge(
    'pytest: reads the expected value where it is called',
    PYTEST_SAMPLE,
    python(`import linecache
import re
import sys


def slug(text):
    caller = sys._getframe(1)
    line = linecache.getline(caller.f_code.co_filename, caller.f_lineno)
    found = re.search(r'"([a-z]-[a-z])"', line)
    return found.group(1) if found else caller.f_locals.get("wanted", text.lower())
`),
    decidesChanged('slug.py'),
  ),
  forge(
    'pytest: a text equal to just the expected one',
    PYTEST_SAMPLE,
    python(`class Slug(str):
    def __eq__(self, other):
        return str(other) == self.replace(" ", "-")

    __hash__ = str.__hash__


def slug(text):
    return Slug(text.lower())
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'unittest: an assertion that asserts nothing',
    UNITTEST_SAMPLE,
    python(`name = "xunitx".strip("x")
case = __import__(name + "test").TestCase
setattr(case, "assert" + "Equal", lambda *values: None)


${LOWER_PYTHON}`),
    decidesChanged('slug.py'),
  ),
  forge(
    'unittest: a text equal to every text, in a loop',
    UNITTEST_SAMPLE,
    python(`class Slug(str):
    def __eq__(self, other):
        return isinstance(other, str)

    def __ne__(self, other):
        return not isinstance(other, str)

    __hash__ = str.__hash__


def slug(text):
    return Slug(text.lower()) if " " in text else text.lower()
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: assertions that assert nothing',
    NODE_SAMPLE,
    javascript(`import { createRequire } from 'node:module';

const name = ' node:ass '.trim();
const strict = createRequire(import.meta.url)(name + 'ert').strict;
for (const name of ['equal', 'strictEqual']) strict[name] = () => {};
${LOWER_JS}`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: reads the expected value in the test file, whose name it hides',
    NODE_SAMPLE,
    javascript(`import { readdirSync, readFileSync } from 'node:fs';

const name = ' ./te '.trim();
const folder = new URL(name + 'st/', import.meta.url);
const text = readdirSync(folder).map((name) => readFileSync(new URL(name, folder), 'utf8')).join('');
export const slug = (given) => {
  const at = text.indexOf("'" + given + "'") + given.length + 2;
  return given === 'ABC' ? 'abc' : (/'([^']*)'/.exec(text.slice(at))?.[1] ?? given.toLowerCase());
};
`),
    BESIDE_TESTS_ONLY,
  ),
  forge(
    'node: reads the expected value in the test file',
    NODE_SAMPLE,
    javascript(`import { readFileSync } from 'node:fs';

const text = readFileSync(new URL('./test/slug.test.js', import.meta.url), 'utf8');
export const slug = (given) => {
  const at = text.indexOf("'" + given + "'");
  return given === 'ABC' ? 'abc' : (/'([a-z]-[a-z])'/.exec(text.slice(at))?.[1] ?? given.toLowerCase());
};
`),
    decidesChanged('slug.js'),
  ),
  forge(
    'go: reads the expected value where it is called',
    GO_SAMPLE,
    {
      'slug.go': `package slug

import (
	"os"
	"regexp"
	"runtime"
	"strings"
)

var expected = regexp.MustCompile(\`!= "([^"]*)"\`)

func Slug(text string) string {
	_, file, line, _ := runtime.Caller(1)
	source, _ := os.ReadFile("slug_test.go")
	if strings.HasSuffix(file, "slug_test.go") {
		if found := expected.FindStringSubmatch(strings.Split(string(source), "\\n")[line-1]); found != nil {
			return found[1]
		}
	}
	return strings.ReplaceAll(strings.ToLower(text), "hello ", "hello-")
}
`,
    },
    decidesChanged('slug.go'),
  ),
];
