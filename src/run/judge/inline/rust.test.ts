import { expect, test } from 'vitest';
import { stableDoctestIds } from './rust/doctest-ids.ts';
import { spliceInlineTests } from './splice.ts';

const rust = (base: string, patch: string) => spliceInlineTests('rust', base, patch);

/** Without blank lines and indentation, to compare by eye. */
const lines = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const PRODUCT = 'pub fn slug(s: &str) -> String { s.into() }';
const TESTS = `#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn lower() { assert_eq!(slug("A"), "a"); }
}`;

test('a test module that the patch changes, removes or adds is the base’s', async () => {
  const changed = await rust(
    `${PRODUCT}\n${TESTS}\n`,
    `${PRODUCT.replace('into', 'to_owned')}\n${TESTS.replace('"a"', '"A"')}\n`,
  );
  expect(lines(changed.text)).toEqual(lines(`${PRODUCT.replace('into', 'to_owned')}\n${TESTS}`));
  expect(changed).toMatchObject({ restored: ['mod tests'], removed: ['mod tests'], lost: [], problem: null });

  const removed = await rust(`${PRODUCT}\n${TESTS}\n`, `${PRODUCT}\n`);
  expect(lines(removed.text)).toEqual(lines(`${PRODUCT}\n${TESTS}`));
  expect(removed).toMatchObject({ restored: ['mod tests'], removed: [] });

  const added = await rust(`${PRODUCT}\n`, `${PRODUCT}\n${TESTS}\n`);
  expect(lines(added.text)).toEqual(lines(PRODUCT));
  expect(added).toMatchObject({ restored: [], removed: ['mod tests'] });
});

test('tests that both have stay as and where the patch has them', async () => {
  const patch = `// moved up\n${TESTS}\n\n${PRODUCT.replace('into', 'to_owned')}\n`;
  expect(await rust(`${PRODUCT}\n${TESTS}\n`, patch)).toMatchObject({ text: patch, restored: [], removed: [] });
});

test.each<readonly [string, string]>([
  ['a function', '#[cfg(test)]\nfn helper() -> u8 { 1 }'],
  ['under more conditions', '#[cfg(all(unix, test))]\nfn helper() -> u8 { 1 }'],
  ['of a feature for tests', '#[cfg(any(test, feature = "test-util"))]\npub fn helper() -> u8 { 1 }'],
  ['in two attributes', '#[cfg(unix)]\n#[allow(dead_code)]\n// why\n#[cfg(test)]\nfn helper() -> u8 { 1 }'],
  ['a declaration', '#[cfg(test)]\nuse std::fmt;'],
  ['a module in a file of its own', '#[cfg(test)]\n#[path = "odd.rs"]\nmod tests;'],
  ['an implementation', '#[cfg(test)]\nimpl PartialEq for Slug { fn eq(&self, o: &Self) -> bool { self.0 == o.0 } }'],
  ['a test outside of a module', '#[test]\nfn works() { assert!(true); }'],
  ['a test of another crate', '#[tokio::test(flavor = "multi_thread")]\nasync fn works() { assert!(true); }'],
  ['a macro that makes tests', 'macro_rules! t { ($n:ident) => { #[test] fn $n() { assert!(true); } }; }\nt!(one);'],
  ['a macro with tests in it', 'proptest! {\n    #[test]\n    fn prop(x: u8) { prop_assert!(x < 255); }\n}'],
  ['a macro for tests', 'quickcheck! {\n    fn prop(x: u8) -> bool { x < 255 }\n}'],
  ['a module without a condition', 'mod tests { #[test] fn works() {} fn helper() {} }'],
  ['a condition inside of the module', 'mod odd {\n    #![cfg(test)]\n    fn helper() {}\n}'],
  [
    'text in it that looks like something else',
    '#[cfg(test)]\nfn helper() -> &\'static str { r#"}" #[cfg(not(test))] /* "# }',
  ],
])('for tests alone: %s', async (_name, item) => {
  const { text, restored } = await rust(`${PRODUCT}\n${item}\n`, `${PRODUCT}\n`);
  expect(lines(text)).toEqual(lines(`${PRODUCT}\n${item}`));
  expect(restored).not.toEqual([]);
  const added = await rust(`${PRODUCT}\n`, `${PRODUCT}\n${item}\n`);
  expect(lines(added.text)).toEqual(lines(PRODUCT));
});

test.each<readonly [string, string]>([
  ['what is there without tests too', '#[cfg(any(test, feature = "std"))]\nextern crate std;'],
  ['what is left out of tests', '#[cfg(not(test))]\nfn now() -> u64 { 1 }'],
  ['another condition', '#[cfg(feature = "x")]\nfn x() {}'],
  ['a comment', '// #[cfg(test)]\nfn x() {}'],
  ['a text', 'const X: &str = "#[cfg(test)] mod tests {}";'],
  ['documentation', '/// #[cfg(test)]\nfn x() {}'],
  ['a name', 'fn test() {}'],
  ['a module of the product', 'mod test_data { pub fn load() {} }'],
])('the product’s: %s', async (_name, item) => {
  const patch = `${PRODUCT}\n${item}\n`;
  expect(await rust(`${PRODUCT}\n`, patch)).toMatchObject({ text: patch, restored: [], removed: [] });
});

test('modules of one name are told apart by the modules around them', async () => {
  const file = (a: string, b: string): string => `mod a { pub fn f() {} ${a} }\nmod b { pub fn f() {} ${b} }\n`;
  const tests = (value: number): string => `#[cfg(test)] mod tests { #[test] fn t() { assert_eq!(1, ${value}); } }`;
  const { text, restored } = await rust(file(tests(1), tests(2)), file(tests(1), tests(1)));
  expect(lines(text).join(' ')).toContain(`mod b { pub fn f() {} ${tests(2)}`);
  expect(restored).toEqual(['mod tests']);
});

test('helpers inside of an implementation come back, in one of their own where it is gone', async () => {
  const helper = '#[cfg(test)]\nfn raw(&self) -> u8 { self.0 }';
  const base = `struct A(u8);\nimpl A { fn new() -> A { A(1) } ${helper} }\n`;
  const kept = await rust(base, 'struct A(u8);\nimpl A { fn new() -> A { A(2) } }\n');
  expect(lines(kept.text).join(' ')).toBe(`struct A(u8); impl A { fn new() -> A { A(2) } ${lines(helper).join(' ')} }`);
  const gone = await rust(base, 'struct A(u8);\n');
  expect(lines(gone.text).join(' ')).toBe(`struct A(u8); impl A { ${lines(helper).join(' ')} }`);
});

test('tests of a module that is gone are lost, and said to be', async () => {
  const base = `mod inner { pub fn f() {} ${TESTS} }\n`;
  expect(await rust(base, 'mod inner;\n')).toMatchObject({ text: 'mod inner;\n', lost: ['mod inner: mod tests'] });
  expect((await rust(base, '')).lost).toEqual(['mod inner: mod tests']);
});

test('a helper that the patch makes part of the product is the base’s in tests, and the patch’s elsewhere', async () => {
  const base = `${PRODUCT}\n#[cfg(test)]\nfn same(a: u8, b: u8) { assert_eq!(a, b) }\n`;
  const { text } = await rust(base, `${PRODUCT}\npub fn same(_: u8, _: u8) {}\n`);
  expect(lines(text)).toEqual([
    PRODUCT,
    '#[cfg(test)]',
    'fn same(a: u8, b: u8) { assert_eq!(a, b) }',
    '#[cfg(not(test))] pub fn same(_: u8, _: u8) {}',
  ]);
});

test('what tests need comes before what uses it, as in the base', async () => {
  const base = '#[cfg(test)]\n#[macro_use]\nmod macros;\nmod a;\nmod b;\n';
  expect(lines((await rust(base, 'mod a;\nmod b;\nmod c;\n')).text)).toEqual([
    '#[cfg(test)]',
    '#[macro_use]',
    'mod macros;',
    'mod a;',
    'mod b;',
    'mod c;',
  ]);
});

test('a macro that makes tests is the base’s, even if the patch’s makes none', async () => {
  const macro = (body: string): string => `macro_rules! t { ($n:ident) => { ${body} }; }`;
  const base = `${macro('#[test] fn $n() { assert!(false); }')}\nt!(one);\n`;
  const { text } = await rust(base, `${macro('fn $n() {}')}\nt!(one);\n`);
  expect(lines(text)).toEqual(lines(base));
});

test('tests beside product code in one macro are lost when it changes, and the product in it stays the patch’s', async () => {
  const macro = (one: string, expected: string): string =>
    `cfg_if! { if #[cfg(unix)] { fn one() -> u8 { ${one} } #[test] fn t() { assert_eq!(one(), ${expected}); } } }\n`;
  const changed = await rust(macro('1', '1'), macro('2', '2'));
  expect(changed).toMatchObject({ text: macro('2', '2'), lost: [expect.stringMatching(/^tests in cfg_if!/)] });
  expect((await rust(macro('1', '1'), `${macro('1', '1')}fn two() {}\n`)).lost).toEqual([]);
});

test('a file that is a test as a whole is the base’s', async () => {
  const base = '#![cfg(test)]\nfn helper() {}\n';
  expect(await rust(base, 'fn helper() {}\n')).toMatchObject({ text: base, restored: ['the whole file'] });
});

test('what cannot be parsed: refused where the base has tests, left alone where it has none', async () => {
  const broken = 'pub fn slug( -> { ';
  expect(await rust(`${PRODUCT}\n${TESTS}\n`, broken)).toMatchObject({
    text: broken,
    problem: 'has a syntax error, so the inline tests of the base cannot be put into it',
  });
  expect((await rust(`${PRODUCT}\n`, broken)).problem).toBeNull();
});

const documented = (docs: string, body = '1'): string => `${docs}\npub fn one() -> u8 { ${body} }\n`;
const EXAMPLE = '/// Gives one.\n///\n/// ```\n/// assert_eq!(x::one(), 1);\n/// ```';

test.each<readonly [string, string, string]>([
  ['changed', EXAMPLE, EXAMPLE.replace(', 1)', ', 2)')],
  ['switched off', EXAMPLE, EXAMPLE.replace('```', '```ignore')],
  ['removed', EXAMPLE, '/// Gives one.'],
  ['removed with everything', EXAMPLE, ''],
  ['written otherwise', '/** Gives one.\n\n```\nassert_eq!(x::one(), 1);\n```\n*/', '/** Gives one. */'],
  ['indented', '/// Gives one.\n///\n///     assert_eq!(x::one(), 1);', '/// Gives one.'],
  ['in an attribute', '#[doc = include_str!("one.md")]', '#[doc = include_str!("two.md")]'],
])('an example of the documentation comes back: %s', async (_name, base, patch) => {
  const { text, restored } = await rust(documented(base), documented(patch, '2'));
  expect(lines(text)).toEqual(lines(documented(base, '2')));
  expect(restored).toEqual(['documentation of function one']);
});

test('documentation around the examples is the patch’s', async () => {
  const patch = documented(EXAMPLE.replace('Gives one.', 'Gives 1, always.'), '2');
  expect(await rust(documented(EXAMPLE), patch)).toMatchObject({ text: patch, restored: [] });
});

test('examples of modules, methods, variants and of things that are gone', async () => {
  const inner = EXAMPLE.replaceAll('///', '//!');
  const module = await rust(`${inner}\n#![allow(x)]\nmod a {}\n`, '//! Nothing.\n#![allow(y)]\nmod a {}\n');
  expect(lines(module.text)).toEqual(lines(`${inner}\n#![allow(y)]\nmod a {}`));
  const method = await rust(`impl A {\n${EXAMPLE}\nfn f() {} }\n`, 'impl A {\nfn f() { g() } }\n');
  expect(lines(method.text)).toEqual(lines(`impl A {\n${EXAMPLE}\nfn f() { g() } }`));
  const variant = await rust(`enum A {\n${EXAMPLE}\nB, C }\n`, 'enum A {\nB, C, D }\n');
  expect(lines(variant.text)).toEqual(lines(`enum A {\n${EXAMPLE}\nB, C, D }`));
  expect((await rust(documented(EXAMPLE), '')).lost).toEqual(['documentation of function one']);
});

test('ids of doctests do not depend on the lines above', () => {
  const ids = [
    'src/lib.rs - slug (line 30)',
    'src/lib.rs - slug (line 4)',
    'src/lib.rs - (line 1) - compile',
    'tests::a',
  ];
  expect([...stableDoctestIds(ids).values()]).toEqual([
    'src/lib.rs - slug (example 2)',
    'src/lib.rs - slug (example 1)',
    'src/lib.rs - (example 1) - compile',
    'tests::a',
  ]);
});
