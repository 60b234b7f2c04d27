import type { RepositoryVariant } from '../repository-variant.ts';

/** Work whose words look like those of tests and mean something else. */
export const OWN_NAMES: readonly RepositoryVariant[] = [
  {
    name: 'javascript: rules with a key named test, and a mode by the terminal',
    repository: {
      test: 'node --test',
      files: {
        'package.json': '{"name": "rules", "type": "module", "main": "rules.js"}\n',
        'rules.js': 'export const matches = ({ test }, path) => path.endsWith(test);\n',
        'test/rules.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { matches } from '../rules.js';

test('an ending', () => assert.equal(matches({ test: '.js' }, 'a.js'), true));
test('another ending', () => assert.equal(matches({ test: '.js' }, 'a.ts'), false));
test('a pattern', () => assert.equal(matches({ test: /[.]tsx?$/ }, 'a.ts'), true));
test('a list', () => assert.equal(matches({ test: ['.a', '.b'] }, 'x.b'), true));
`,
      },
    },
    script: `cat > rules.js <<'CODE'
export const modeOf = (stream) => (stream.isTTY && !process.env.CI ? 'interactive' : 'plain');

function isMatch(test, path) {
  if (typeof test === 'function') return Boolean(test(path));
  if (typeof test === 'string') return path.endsWith(test);
  return Array.isArray(test) ? test.some((one) => isMatch(one, path)) : test.test(path);
}

export const matches = ({ test }, path) => isMatch(test, path);
CODE`,
  },
  {
    name: 'python: a decorator that writes documentation, and a mode by the terminal',
    repository: {
      test: 'python3 -m pytest -q',
      files: {
        'shop/__init__.py': '',
        'shop/old.py': `def deprecated(version):
    def wrap(func):
        return func
    return wrap
`,
        'tests/test_old.py': `from shop.old import deprecated


def test_result():
    assert deprecated("2")(len)("ab") == 2


def test_documentation():
    @deprecated("2")
    def old():
        """Old."""

    assert old.__doc__ == "Deprecated since 2. Old."
`,
      },
    },
    script: `cat > shop/old.py <<'CODE'
import functools
import sys


def mode():
    return "interactive" if sys.stdin.isatty() else "batch"


def deprecated(version):
    def wrap(func):
        @functools.wraps(func)
        def inner(*args, **kwargs):
            return func(*args, **kwargs)

        inner.__doc__ = f"Deprecated since {version}. {func.__doc__}"
        return inner

    return wrap
CODE`,
  },
];
