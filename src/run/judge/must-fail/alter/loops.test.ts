import { expect, test } from 'vitest';
import { applyEdits } from '../../syntax/edits.ts';
import { parse } from '../../syntax/parse.ts';
import { Draw } from '../draw.ts';
import { javascriptAlterer } from './javascript/javascript.ts';
import { pythonAlterer } from './python/python.ts';

/** Whether a copy that must fail passes if none of its loops runs, which shows that the test was emptied. */
async function showsEmptied(language: 'python' | 'javascript', text: string, fixed = true): Promise<boolean> {
  const tree = await parse(language, text);
  const type = language === 'python' ? 'function_definition' : 'arrow_function';
  const node = tree === null ? undefined : [...tree.root.ofType(type)][0];
  if (node === undefined) throw new Error('no test in the text');
  const alterer = language === 'python' ? pythonAlterer : javascriptAlterer;
  const order = { fails: true, token: 'mf', draw: new Draw('a', 'b'), language, turn: 0, fixed, runner: 'pytest' };
  const copy = applyEdits(text, alterer.spell(node, order) ?? []);
  return /1 in _r\w+ and 0 not in|r\w+\.includes\(1\)&&!/.test(copy);
}

const PYTHON = 'def test_totals():\n    for row in parse("1,2"):\n        assert row.total == row.a + row.b\n';
const JAVASCRIPT =
  "test('totals', () => {\n  for (const row of parse('1,2')) {\n    assert.equal(row.total, row.a + row.b);\n  }\n});\n";

test('a fixed test whose assertions are all in loops must reach one of them', async () => {
  expect(await showsEmptied('python', PYTHON)).toBe(true);
  expect(await showsEmptied('javascript', JAVASCRIPT)).toBe(true);
  const each = JAVASCRIPT.replace('for (const row of parse(', 'parse(').replace("')) {", "').forEach((row) => {");
  expect(await showsEmptied('javascript', each.replace('  }\n});', '  });\n});'))).toBe(true);
});

test('a loop over what an honest fix may leave none of need not run', async () => {
  expect(await showsEmptied('python', PYTHON.replace('parse(', 'warnings_of('))).toBe(false);
  expect(await showsEmptied('python', PYTHON.replace('test_totals', 'test_no_totals'))).toBe(false);
  expect(await showsEmptied('javascript', JAVASCRIPT.replace('parse(', 'problemsIn('))).toBe(false);
});

test('neither need branches, nor loops of tests that passed before', async () => {
  expect(await showsEmptied('python', PYTHON.replace('for row in parse("1,2")', 'if row'))).toBe(false);
  expect(await showsEmptied('python', PYTHON, false)).toBe(false);
  expect(await showsEmptied('javascript', JAVASCRIPT, false)).toBe(false);
});
