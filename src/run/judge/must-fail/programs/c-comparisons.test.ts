import { expect, test } from 'vitest';
import type { SyntaxTree } from '../../syntax/node.ts';
import { parse } from '../../syntax/parse.ts';
import { applyEdits } from '../../syntax/edits.ts';
import { Draw } from '../draw.ts';
import { comparisonsInC } from './c-comparisons.ts';
import { alteredValues, announced, announcing } from './c-values.ts';

async function treeOf(text: string): Promise<SyntaxTree> {
  const tree = await parse('c', text);
  if (tree === null) throw new Error('cannot be parsed');
  return tree;
}

async function comparedIn(body: string): Promise<readonly string[]> {
  const tree = await treeOf(`int main(void) {\n${body}\n}\n`);
  return comparisonsInC(tree.root).map((values) => values.map(({ text }) => text).join(' '));
}

test.each([
  ['assert(words("a b") == 2);', '2'],
  ['assert(strcmp(out, "a-b") == 0);', '"a-b"'],
  ['assert(!strcmp(out, "a-b"));', '"a-b"'],
  ["assert(n == 3 && c == 'x');", "3,'x'"],
  ['check("lower", strcmp(out, "abc") == 0);', '"abc"'],
  ['ASSERT_EQ(slug("a"), 4u);', '4u'],
  ['TEST_ASSERT_EQUAL_STRING("abc", out);', '"abc"'],
  ['same(text, "a-b");', '"a-b"'],
  ['if (strcmp(out, "a-b") != 0) return 1;', '"a-b"'],
  ['if (strcmp(out, "a-b")) { failures++; }', '"a-b"'],
  ['if (n != 3 || m != 4) abort();', '3,4'],
  ['return strcmp(out, "a-b") != 0;', '"a-b"'],
  ['return count("a b") == 2 ? 0 : 1;', '2'],
  ['return strcmp(out, "a-b") ? 1 : 0;', '"a-b"'],
  ['check(n == 2 ? 1 : 0);', '2'],
])('%s compares with %s', async (body, values) => {
  expect((await comparedIn(body)).join(',')).toBe(values);
});

test.each([
  'assert(n != 3);',
  'assert(n == 3 || n == 4);',
  'assert(n > 3);',
  'ASSERT_NE(n, 3);',
  'assert_not_equal(n, 3);',
  'if (n != 3 && m != 4) abort();',
  'if (n == 3) return 1;',
  'return n == 3 ? 1 : 0;',
  'check(n != 3 ? a : b);',
  'if (strcmp(argv[1], "-v") == 0) verbose = 1;',
  'assert(n == m);',
  'slug("a b", out);',
  'static_assert(sizeof(int) == 4, "int");',
  'ASSERT_NEAR(x, 1.5, 0.01);',
])('another value in it may make no difference: %s', async (body) => {
  expect(await comparedIn(body)).toEqual([]);
});

test('copies have other values of the same length and type, or leave a file behind', async () => {
  const text = '#include "a.h"\nint main(void) { assert(strcmp(out, "a-b") == 0); assert(n == 3); }\n';
  const tree = await treeOf(text);
  const found = comparisonsInC(tree.root);
  const altered = applyEdits(
    text,
    found.flatMap((values) => alteredValues(values, new Draw('seed', 'copy'))),
  );
  expect(altered).toMatch(/"(?!a-b)\w-\w"\) == 0\); assert\(n == (?!3)\d+\);/);
  const saying = applyEdits(text, [
    announcing(tree.root),
    ...found.flatMap((values, at) => announced(values, `/w/m-${at}`)),
  ]);
  expect(saying).toMatch(/#include "a.h"\n+#include <fcntl.h>/);
  expect(saying).toContain('strcmp(out, (close(open("/w/m-0", O_CREAT | O_WRONLY, 0644)) < 0 ? 0 : 0, "a-b"))');
});
