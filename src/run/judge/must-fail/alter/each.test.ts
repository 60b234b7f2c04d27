import { expect, test } from 'vitest';
import { applyEdits } from '../../syntax/edits.ts';
import { parse } from '../../syntax/parse.ts';
import { Draw } from '../draw.ts';
import { javascriptAlterer } from './javascript/javascript.ts';
import { pythonAlterer } from './python/python.ts';

/** Whether some copy of the test that must fail reverses the condition `row.ok`, which has no effect where there is no row. */
async function reverses(language: 'python' | 'javascript', text: string, fixed = true): Promise<boolean> {
  const tree = await parse(language, text);
  const type = language === 'python' ? 'function_definition' : 'arrow_function';
  const node = tree === null ? undefined : [...tree.root.ofType(type)][0];
  if (node === undefined) throw new Error('no test in the text');
  const alterer = language === 'python' ? pythonAlterer : javascriptAlterer;
  const copies = [0, 1, 2].map((turn) => {
    const draw = new Draw('a', `${turn}`);
    const order = { fails: true, token: 'mf', draw, language, turn, fixed, runner: 'node-test' };
    return applyEdits(text, alterer.spell(node, order) ?? []);
  });
  return copies.some((copy) => copy.includes(language === 'python' ? 'not (row.ok)' : '!(row.ok)'));
}

test.each([
  'assert all(row.ok for row in parse("1"))',
  'assert all([row.ok for row in parse("1")])',
  'assert not any(row.ok for row in parse("1"))',
  'self.assertTrue(all(row.ok for row in parse("1")))',
  'self.assertFalse(any(row.ok for row in parse("1")))',
  'for row in parse("1"):\n        assert row.ok',
])('python: %s says nothing if there is no row', async (body) => {
  expect(await reverses('python', `def test_rows():\n    ${body}\n`)).toBe(true);
});

test.each([
  // Reversed, these may hold as well.
  'assert any(row.ok for row in parse("1"))',
  'assert not all(row.ok for row in parse("1"))',
  'self.assertFalse(all(row.ok for row in parse("1")))',
  // There may be none.
  'assert all(row.ok for row in warnings_of("1"))',
  'assert all(row.ok for row in parse("1") if row.old)',
  'for row in parse("1"):\n        if row.old:\n            assert row.ok',
])('python: %s is not reversed', async (body) => {
  expect(await reverses('python', `def test_rows():\n    ${body}\n`)).toBe(false);
});

test.each([
  "assert.ok(parse('1').every((row) => row.ok))",
  "assert.equal(parse('1').every((row) => row.ok), true, 'all')",
  "expect(parse('1').every((row) => row.ok)).toBe(true)",
  "expect(parse('1').some((row) => row.ok)).toBe(false)",
  "assert.ok(!parse('1').some((row) => row.ok))",
  "for (const row of parse('1')) assert.ok(row.ok)",
  "parse('1').forEach((row) => { assert.ok(row.ok); })",
])('javascript: %s says nothing if there is no row', async (body) => {
  expect(await reverses('javascript', `test('rows', () => {\n  ${body};\n});\n`)).toBe(true);
});

test.each([
  "assert.ok(parse('1').some((row) => row.ok))",
  "expect(parse('1').every((row) => row.ok)).toBe(false)",
  "assert.ok(!parse('1').every((row) => row.ok))",
  "expect(problemsIn('1').every((row) => row.ok)).toBe(true)",
])('javascript: %s is not reversed', async (body) => {
  expect(await reverses('javascript', `test('rows', () => {\n  ${body};\n});\n`)).toBe(false);
});

test('a test that passed before may be about nothing', async () => {
  expect(await reverses('python', 'def test_rows():\n    assert all(row.ok for row in parse("1"))\n', false)).toBe(
    false,
  );
});
