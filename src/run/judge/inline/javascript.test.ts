import { expect, test } from 'vitest';
import { spliceInlineTests } from './splice.ts';

const splice = (base: string, patch: string) => spliceInlineTests('typescript', base, patch);
const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^\s*;?/, '').trim())
    .filter((line) => line !== '');

const PRODUCT = 'export const slug = (s: string): string => s.toLowerCase();';
const TESTS = `if (import.meta.vitest) {
  const { it, expect } = import.meta.vitest;
  it('lowers', () => expect(slug('A')).toBe('a'));
}`;

test('an in-source block that the patch changes, removes or adds is the base’s', async () => {
  const base = `${PRODUCT}\n${TESTS}\n`;
  const better = PRODUCT.replace('toLowerCase', 'toLocaleLowerCase');
  const changed = await splice(base, `${TESTS.replace("'a'", "'A'")}\n${better}\n`);
  expect(lines(changed.text)).toEqual([better, ...lines(TESTS)]);
  expect(changed).toMatchObject({ restored: ['if (import.meta.vitest) {'], removed: ['if (import.meta.vitest) {'] });
  expect(lines((await splice(base, `${better}\n`)).text)).toEqual([better, ...lines(TESTS)]);
  expect(lines((await splice(`${PRODUCT}\n`, base)).text)).toEqual([PRODUCT]);
  expect(await splice(base, `${better}\n${TESTS}\n`)).toMatchObject({ text: `${better}\n${TESTS}\n`, restored: [] });
});

test.each<readonly [string, string]>([
  ['in brackets', "if (import.meta['vitest']) {\n  import.meta.vitest.it('x', () => {});\n}"],
  ['by another name', "const v = import.meta.vitest;\nif (v) {\n  v.it('x', () => {});\n}"],
  ['by a part of it', "const { vitest } = import.meta;\nif (vitest !== undefined) {\n  vitest.it('x', () => {});\n}"],
  ['as an expression', "import.meta.vitest && import.meta.vitest.it('x', () => {});"],
  ['as an optional call', "import.meta.vitest?.test('x', () => {});"],
  ['behind another condition', "if (process.env.NODE_ENV === 'test') {\n  describe('x', () => {});\n}"],
  ['without a condition', "import { test } from 'node:test';\ntest('x', () => {});"],
  ['switched off', "test.skip('x', () => {});"],
  ['in a function', "function tests(): void {\n  it('x', () => {});\n}\nif (import.meta.vitest) tests();"],
])('a test of the base comes back: %s', async (_name, tests) => {
  expect(lines((await splice(`${PRODUCT}\n${tests}\n`, `${PRODUCT}\n`)).text)).toEqual([PRODUCT, ...lines(tests)]);
  expect(lines((await splice(`${PRODUCT}\n`, `${PRODUCT}\n${tests}\n`)).text)).toEqual([PRODUCT]);
});

test.each<readonly [string, string]>([
  ['a comment', '// if (import.meta.vitest) {}'],
  ['a text', "export const help = 'if (import.meta.vitest) {}';"],
  ['another condition', "if (process.env.NODE_ENV === 'test') {\n  setup();\n}"],
  ['a function', "export function it(): void {\n  test('x');\n}"],
  ['a check of something else', 'if (import.meta.main) {\n  main();\n}'],
])('the product’s: %s', async (_name, code) => {
  expect(await splice(`${PRODUCT}\n`, `${PRODUCT}\n${code}\n`)).toMatchObject({ text: `${PRODUCT}\n${code}\n` });
});

test('what the tests import comes back with them, unless the patch has something of that name', async () => {
  const tests = TESTS.replace("'a')", 'expected)');
  const base = `import { expected } from './expected.ts';\n${PRODUCT}\n${tests}\n`;
  expect(lines((await splice(base, `${PRODUCT}\n`)).text)).toEqual([
    PRODUCT,
    "import { expected } from './expected.ts';",
    ...lines(tests),
  ]);
  const own = `const expected = 'a';\n${PRODUCT}\n`;
  expect(lines((await splice(base, own)).text)).toEqual([...lines(own), ...lines(tests)]);
});

test('a patched file that cannot be parsed is refused', async () => {
  expect((await splice(`${PRODUCT}\n${TESTS}\n`, 'export const = ;')).problem).toMatch(/^has a syntax error/);
});
