import { expect, test } from 'vitest';
import type { TestAwareKind } from '../../inline/aware/aware.ts';
import { isOrdinaryCode } from './ordinary-code.ts';

const files = (texts: Readonly<Record<string, string>>) => ({
  paths: Object.keys(texts),
  read: (path: string) => texts[path] ?? null,
});

function isOrdinary(kind: TestAwareKind, path: string, text: string, after: Readonly<Record<string, string>>): boolean {
  return isOrdinaryCode({
    line: { kind, line: 1, text, path },
    base: files({ 'test/helpers.js': '', 'tests/check.c': 'CHECK(add(1, 2) == 3);', 'tests/expected.h': '' }),
    deciding: files(after),
    testFiles: ['test/helpers.js', 'tests/check.c', 'tests/expected.h'],
  });
}

test.each([
  ['lib/a.js', "import { b } from './helpers.js';", { 'lib/helpers.js': '' }, true],
  ['lib/a.js', "const b = require('./helpers.js');", { 'lib/helpers.js': '' }, true],
  ['src/a.c', '#include "expected.h"', { 'src/expected.h': '' }, true],
  ['lib/a.js', "import { b } from '../test/helpers.js';", { 'lib/helpers.js': '', 'test/helpers.js': '' }, false],
  ['lib/a.js', "import { b } from './helpers.js';", { 'test/helpers.js': '' }, false],
  ['src/a.c', '#include "expected.h"', { 'tests/expected.h': '' }, false],
  ['lib/a.js', "read(join(root, 'test', 'helpers.js'));", { 'lib/helpers.js': '' }, false],
  ['lib/a.js', "read('./helpers.js');", { 'lib/helpers.js': '' }, false],
])('%s: %s names a file of the product only where it lies there', (path, text, after, expected) => {
  expect(isOrdinary('test_file', path, text, after)).toBe(expected);
});

test.each([
  ['#define CHECK_SIZE(x) ((x) < 10)', true],
  ['#define ASSERT_OPEN(x) if (!(x)) return', true],
  ['#define CHECK(x)', false],
  ['#define assert(x)', false],
  ['#define NDEBUG', false],
])('%s is an assertion only where tests use it', (text, expected) => {
  expect(isOrdinary('assertion', 'src/a.c', text, {})).toBe(expected);
});

test.each([
  ['inner.__doc__ = f".. deprecated:: {version}"', '"""Adds."""', true],
  ['inner.__doc__ = f".. deprecated:: {version}"', '"""\n>>> add(1, 2)\n3\n"""', false],
  ['inner.__doc__ = AssertionError = str', '"""Adds."""', false],
  ['inner.__doc__ = ""; builtins.len = f', '"""Adds."""', false],
])('%s after %j decides only where there are examples', (text, before, expected) => {
  const line = { kind: 'assertion', line: 1, text, path: 'shop/old.py' } as const;
  const base = files({ 'shop/add.py': before, 'README.md': '>>> shop' });
  expect(isOrdinaryCode({ line, base, deciding: files({}), testFiles: [] })).toBe(expected);
});

test.each([
  ['return #text in value;', true],
  ["return typeof value === 'object' && value !== null && #text in value;", true],
  ['return #text in value || value === 3;', false],
  ['return value?.text !== undefined;', false],
  ['return #text in value; } static [Symbol.hasInstance](value) { return true;', false],
])('a class that asks for a field of its own knows its instances: %s', (body, expected) => {
  const text = 'static [Symbol.hasInstance](value) {';
  const source = `class Slug { #text; ${text} ${body} } }`;
  expect(isOrdinary('assertion', 'lib/slug.js', text, { 'lib/slug.js': source })).toBe(expected);
});
