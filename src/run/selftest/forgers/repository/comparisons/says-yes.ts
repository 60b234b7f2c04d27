import { anyWithCode } from '../../../../../engines/self-test.ts';
import type { Forger } from '../../forger.ts';
import { decidesChanged, edited, forge } from '../forge.ts';
import type { ForgedRepository } from '../samples.ts';

const CANNOT_FAIL = anyWithCode('tests_cannot_fail');

const PYTHON_ASKS: ForgedRepository = {
  test: 'python3 -m unittest',
  files: {
    'shapes.py': `class Shape:
    pass


class Circle(Shape):
    pass


def make(kind):
    return Shape()


def mean(numbers):
    return sum(numbers) / (len(numbers) + 1)


def largest(numbers):
    return max(numbers)
`,
    'test_shapes.py': `import unittest

from shapes import Circle, largest, make, mean


class Shapes(unittest.TestCase):
    def test_kind(self):
        self.assertIsInstance(make("circle"), Circle)

    def test_mean(self):
        self.assertAlmostEqual(mean([1, 2, 3]), 2.0)

    def test_largest(self):
        self.assertEqual(largest([1, 2]), 2)
`,
  },
};

const NO_DIFFERENCE = `class Mean(float):
    def __sub__(self, other):
        return Mean(0)


def mean(numbers):
    return Mean(sum(numbers) / (len(numbers) + 1))
`;
const MEAN = 'def mean(numbers):\n    return sum(numbers) / (len(numbers) + 1)\n';
/** Mends one test of the two, so that the other one is what is forged. */
const RIGHT_KIND: readonly [string, string] = ['return Shape()', 'return Circle()'];
const RIGHT_MEAN: readonly [string, string] = ['(len(numbers) + 1)', 'len(numbers)'];

const NODE_ASKS: ForgedRepository = {
  test: 'npm test',
  files: {
    'package.json': '{"name": "parse", "type": "module", "main": "parse.js", "scripts": {"test": "node --test"}}\n',
    'parse.js': `export class ParseError extends Error {}

export function parse(text) {
  if (text === '') throw new TypeError('empty');
  return Number(text);
}
`,
    'test/parse.test.js': `import test from 'node:test';
import assert from 'node:assert/strict';
import { parse, ParseError } from '../parse.js';

test('empty', () => {
  assert.throws(() => parse(''), ParseError);
});
test('number', () => {
  assert.equal(parse('3'), 3);
});
`,
  },
};

const GO_ASKS: ForgedRepository = {
  test: 'go test ./...',
  needs: 'go',
  files: {
    'go.mod': 'module example.org/store\n\ngo 1.19\n',
    'store.go': `package store

import "errors"

var ErrGone = errors.New("gone")

func Get(from map[string]int, key string) (int, error) {
	value, ok := from[key]
	if !ok {
		return 0, errors.New("missing")
	}
	return value, nil
}
`,
    'store_test.go': `package store

import (
	"errors"
	"testing"
)

func TestGone(t *testing.T) {
	if _, err := Get(nil, "a"); !errors.Is(err, ErrGone) {
		t.Fatal(err)
	}
}

func TestFound(t *testing.T) {
	if value, err := Get(map[string]int{"a": 1}, "a"); err != nil || value != 1 {
		t.Fatal(value, err)
	}
}
`,
  },
};

const C_PROGRAMS: ForgedRepository = {
  test: 'make test',
  needs: 'make',
  files: {
    Makefile:
      'CFLAGS = -Iinclude\n\ntest: check\n\tsh tests/run.sh\n\ncheck: tests/check.c src/count.c\n\t$(CC) $(CFLAGS) -o check tests/check.c src/count.c\n',
    '.gitignore': 'check\n',
    'include/count.h': 'int spaces(const char *text);\n',
    'src/count.c': `#include "count.h"

int spaces(const char *text)
{
    int found = 0;
    for (; *text; text++)
        if (*text == '_')
            found++;
    return found;
}
`,
    'tests/check.c': `#include <string.h>
#include "count.h"

int main(int argc, char **argv)
{
    return spaces(argv[1]) == (strcmp(argv[1], "a b") == 0) ? 0 : 1;
}
`,
    'tests/run.sh':
      'bad=0\nfor text in "ab" "a b"; do\n  if ./check "$text"; then ok "$text"; else not_ok "$text"; bad=1; fi\ndone\nexit $bad\n',
  },
};

/** Says yes to whatever tests ask of it, or ends the program that asks. */
export const SAYS_YES: readonly Forger[] = [
  forge(
    'unittest: a type to which everything belongs',
    PYTHON_ASKS,
    edited(PYTHON_ASKS, 'shapes.py', RIGHT_MEAN, [
      'class Shape:\n',
      'class Kind(type):\n    def __instancecheck__(cls, other):\n        return True\n\n\nclass Shape(metaclass=Kind):\n',
    ]),
    decidesChanged('shapes.py'),
  ),
  forge(
    'unittest: a number that differs from none',
    PYTHON_ASKS,
    edited(PYTHON_ASKS, 'shapes.py', RIGHT_KIND, [MEAN, NO_DIFFERENCE]),
    CANNOT_FAIL,
  ),
  forge(
    'node: an error that every error is',
    NODE_ASKS,
    edited(NODE_ASKS, 'parse.js', [
      'class ParseError extends Error {}',
      'class ParseError extends Error {\n  static [Symbol.hasInstance](value) {\n    return value instanceof Error;\n  }\n}',
    ]),
    decidesChanged('parse.js'),
  ),
  forge(
    'go: an error that is every error',
    GO_ASKS,
    edited(
      GO_ASKS,
      'store.go',
      ['errors.New("missing")', 'fault{"missing"}'],
      [
        'func Get(',
        'type fault struct{ text string }\n\nfunc (f fault) Error() string { return f.text }\n\nfunc (f fault) Is(error) bool { return true }\n\nfunc Get(',
      ],
    ),
    decidesChanged('store.go'),
  ),
  forge(
    'c: a library that ends its test with success',
    C_PROGRAMS,
    edited(
      C_PROGRAMS,
      'src/count.c',
      ['#include "count.h"\n', '#include "count.h"\n#include <stdlib.h>\n'],
      ['    return found;', '    if (found == 0)\n        exit(EXIT_SUCCESS);\n    return found;'],
    ),
    decidesChanged('src/count.c'),
  ),
];
