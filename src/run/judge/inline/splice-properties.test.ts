import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Language } from '../syntax/language.ts';
import { spliceInlineTests } from './splice.ts';
import { someRuns } from '../../../kernel/some-of.fixture.ts';

/** Per language: things of the product, and tests. Tests are recognised in the result by the mark in them. */
const PIECES: Partial<Record<Language, { readonly product: readonly string[]; readonly tests: readonly string[] }>> = {
  rust: {
    product: [
      'fn a() {}',
      '/// ```\n/// one();\n/// ```\npub fn b() {}',
      '/// two\npub fn b() {}',
      'mod m { fn x() {}\n#[cfg(test)]\nmod tests { /* MARK m */ } }',
      'mod m { fn x() {} }',
      'impl A { fn f() {} }',
      '#[cfg(not(test))]\nfn helper() {}',
      'fn helper() {}',
      'use std::fmt;',
      'macro_rules! p { () => {} }',
      '// #[cfg(test)]',
    ],
    tests: [
      '#[cfg(test)]\nmod tests { /* MARK 1 */ }',
      '#[cfg(test)]\nmod tests { /* MARK 2 */ #[test] fn t() {} }',
      '#[test]\nfn t() { /* MARK 3 */ }',
      '#[cfg(test)]\nfn helper() { /* MARK 4 */ }',
      'macro_rules! t { () => { #[test] fn x() { /* MARK 5 */ } } }',
      '#[cfg(test)]\nuse std::fmt; // MARK',
    ],
  },
  typescript: {
    product: ['export const a = 1;', "import { x } from './x';", 'function b() { return 1; }', "'use strict';", '// c'],
    tests: [
      'if (import.meta.vitest) { /* MARK 1 */ }',
      'if (import.meta.vitest) { /* MARK 2 */ x(); }',
      "const v = import.meta.vitest;\nv && v.it('MARK 3');",
      "test('MARK 4', () => {});",
    ],
  },
  python: {
    product: [
      'a = 1',
      'import unittest',
      'def b():\n    """\n    >>> 1\n    """\n    return 1',
      'def b(): return 2',
      'class C:\n    def f(self):\n        """>>> 2"""',
      '"""module\n>>> 3\n"""',
      '# c',
    ],
    tests: [
      'class T(unittest.TestCase):\n    """>>> MARK 1"""\n    x = 1',
      'class T(unittest.TestCase):\n    x = "MARK 2"',
      'def test_x():\n    assert "MARK 3"',
      '__test__ = {"MARK 4": ""}',
    ],
  },
};

test.each(Object.entries(PIECES))('%s: whatever the patch does, the tests are the base’s', async (name, pieces) => {
  const language = name as Language;
  const file = fc
    .array(fc.constantFrom(...pieces.product, ...pieces.tests), { maxLength: 6 })
    .map((all) => `${all.join('\n\n')}\n`);
  const marks = (text: string): readonly string[] => (text.match(/MARK \w+/g) ?? []).toSorted();
  await fc.assert(
    fc.asyncProperty(file, file, async (base, patch) => {
      const once = await spliceInlineTests(language, base, patch);
      expect(once.problem).toBeNull();
      const lost = once.lost.some((one) => one.includes('mod tests')) ? ['MARK m'] : [];
      expect(new Set([...marks(once.text), ...lost])).toEqual(new Set([...marks(base), ...lost]));
      expect((await spliceInlineTests(language, base, once.text)).text).toBe(once.text);
      expect((await spliceInlineTests(language, base, base)).text).toBe(base);
    }),
    { numRuns: someRuns(100) },
  );
});
