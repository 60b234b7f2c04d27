import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parse } from '../../syntax/parse.ts';
import { plainTests } from '../plain-tests.ts';
import { formOf } from './forms.ts';
import { OWN_NAME } from './program.ts';
import { stripTypes } from './strip-types.ts';

const tree = (files: Readonly<Record<string, string>>) => ({
  paths: Object.keys(files),
  read: (path: string) => files[path] ?? null,
});

async function stripped(text: string): Promise<string | null> {
  const parsed = await parse('typescript', text);
  return parsed === null ? null : (stripTypes(parsed)?.replaceAll(/ +/g, ' ').trim() ?? null);
}

test.each([
  ['const a: number = b as number;', 'const a = b ;'],
  ['export function f<T>(x: T, y?: string): x is T { return x!; }', 'export function f (x , y ) { return x ; }'],
  ["import type { A } from './a';\nimport { b } from './b';", "import { b } from './b';"],
  ['export interface A { b: string }\nexport const c = 1 satisfies number;', 'export const c = 1 ;'],
  [
    'class A { private readonly b: number = 1; get c(): number { return this.b; } }',
    'class A { b = 1; get c() { return this.b; } }',
  ],
])('types are taken away: %s', async (text, plain) => {
  expect(await stripped(text)).toBe(plain);
});

test('an enumeration becomes an object', async () => {
  const text = await stripped("export enum A { B, C = 4, D, E = 'e' }");
  expect(runInNewContext(`${text?.replace('export ', '') ?? ''} A;`)).toEqual({
    0: 'B',
    B: 0,
    4: 'C',
    C: 4,
    5: 'D',
    D: 5,
    E: 'e',
  });
});

test.each([
  'enum A { B = f() }',
  'class A { constructor(private b: string) {} }',
  'namespace A { export const b = 1; }',
])('what means more than a type is left alone: %s', async (text) => {
  expect(await stripped(text)).toBeNull();
});

test('tests of vitest become tests of Node.js, with modules that it can load', async () => {
  const form = await formOf(
    'vitest',
    [{ id: 'src/a/cart.test.ts::total', file: 'src/a/cart.test.ts' }],
    tree({
      'src/a/cart.test.ts':
        "import { expect, test } from 'vitest';\nimport { total } from '../cart';\ntest('total', () => {\n  expect(total([1])).toBe(1);\n});\n",
      'src/cart.ts': "import { sum } from './sum.js';\nexport const total = (a: number[]): number => sum(a);\n",
      'src/sum.ts': 'export const sum = (a: number[]): number => a.length;\n',
    }),
  );
  expect(form?.nameOf('src/a/cart.test.ts::total')).toBe('src/a/cart.test.ts.mjs::total');
  expect([...(form?.replace.keys() ?? [])].toSorted()).toEqual([
    'src/a/cart.test.ts.mjs',
    'src/cart.ts.mjs',
    'src/sum.ts.mjs',
  ]);
  expect(form?.replace.get('src/a/cart.test.ts.mjs')).toMatch(
    /import \{ total \} from "\.\.\/\.\.\/\.\.\/src\/cart\.ts\.mjs"/,
  );
  expect(form?.replace.get('src/a/cart.test.ts.mjs')).not.toContain("'vitest'");
  expect(form?.replace.get('src/cart.ts.mjs')).toMatch(/import \{ sum \} from ".\/sum\.ts\.mjs"/);
});

test('a directory stands for what its package names', async () => {
  const files = tree({
    'package.json': '{ "main": "lib" }',
    'lib/index.js': 'exports.a = 1;\n',
    'test/a.test.js': "const { a } = require('..');\n",
  });
  const form = await formOf('jest', [{ id: 'test/a.test.js::a', file: 'test/a.test.js' }], files);
  expect(form?.replace.get('test/a.test.js.cjs')).toContain('require("../lib/index.js")');
});

test('a module that cannot be found leaves the tests as they are', async () => {
  const files = tree({ 'a.test.js': "import { a } from '@/a';\nimport { b } from './nowhere';\n" });
  expect(await formOf('jest', [{ id: 'a.test.js::a', file: 'a.test.js' }], files)).toBeNull();
});

const rust = `pub fn one() -> u8 {
    1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn is_one() {
        assert_eq!(one(), 1);
    }

    #[test]
    #[should_panic]
    fn panics() {
        panic!();
    }
}
`;

test('tests of a Rust library become functions that an example calls', async () => {
  const files = tree({ 'Cargo.toml': '[package]\nname = "a-b"\n', 'src/lib.rs': rust });
  const form = await formOf('cargo', [{ id: 'src/lib.rs::tests::is_one', file: 'src/lib.rs' }], files);
  expect(form?.replace.get('src/lib.rs')).toMatch(/\n\npub mod tests \{/);
  expect(form?.replace.get('src/lib.rs')).toMatch(/pub fn is_one\(\)/);
  expect(form?.replace.get(`examples/${OWN_NAME}_0.rs`)).toContain('a_b::tests::is_one()');
  expect(form?.command).toContain('CARGO_PROFILE_DEV_OVERFLOW_CHECKS=false');
  expect(await formOf('cargo', [{ id: 'src/lib.rs::tests::panics', file: 'src/lib.rs' }], files)).toBeNull();
});

test('tests of Rust code that asks where it is called from go to files, lines and columns of their own', async () => {
  const files = tree({
    'Cargo.toml': '[package]\nname = "a"\n',
    'src/lib.rs': `#[track_caller]\nfn at() {}\n${rust}`,
    'tests/all.rs': '#[test]\nfn whole() {\n    let text = "x\n  y";\n}\n',
  });
  const due = ['src/lib.rs::tests::is_one', 'tests/all.rs::whole'].map((id) => ({ id, file: id.split('::')[0] ?? '' }));
  const form = await formOf('cargo', due, files);
  expect(form?.replace.get('src/lib.rs')).toContain(`#[path = "${OWN_NAME}_lib_rs_0.rs"] pub mod tests ;`);
  expect(form?.replace.get(`src/${OWN_NAME}_lib_rs_0.rs`)).toMatch(/^\s*use super::\*;[^]*\n *pub fn is_one\(\) \{/);
  expect(form?.replace.get(`tests/${OWN_NAME}_1.rs`)).toContain('"x\n  y";');
  expect(form?.command).toContain(`--remap-path-prefix=src/${OWN_NAME}_lib_rs_0.rs=`);
  expect(form?.command).not.toContain('--remap-path-prefix=src/lib.rs=');
});

test('examples of a docstring become a program that compares values', async () => {
  const files = tree({
    'a/text.py':
      'def slug(text):\n    """Makes a slug.\n\n    >>> given = "A"\n    >>> slug(given)\n    \'a\'\n    """\n\n\n' +
      'def show(text):\n    """\n    >>> print(text)\n    a\n    """\n',
  });
  const plain = await plainTests('doctest', ['a/text.py::text.slug', 'a/text.py::text.show'], files, () => null);
  expect(plain).toEqual([{ id: 'a/text.py::text.slug', file: 'a/text.py' }]);
  const form = await formOf('doctest', plain, files);
  const [first] = (form?.replace.get(`${OWN_NAME}-0.py`) ?? '').split('\n');
  const given: unknown = JSON.parse(JSON.parse((first ?? '').replace('GIVEN = ', '')) as string);
  expect(given).toEqual([
    'a',
    'text',
    [
      ['given = "A"', null],
      ['slug(given)', "'a'"],
    ],
    expect.any(String),
    expect.any(String),
  ]);
  // Code that reads its own documentation finds no answers there.
  expect(form?.replace.get('a/text.py')).not.toContain('>>>');
});

test('tests of a Go package become functions that a program calls', async () => {
  const files = tree({
    'go.mod': 'module example.org/a\n',
    'b/b.go': 'package b\n',
    'b/b_test.go': 'package b\n\nimport "testing"\n\nfunc TestB(t *testing.T) {}\n\nfunc BenchmarkB(b *testing.B) {}\n',
  });
  const form = await formOf('go', [{ id: 'example.org/a/b::TestB', file: 'b/b_test.go' }], files);
  expect(form?.remove).toEqual(['b/b_test.go']);
  const name = /inside\.(Z\w+)\)/.exec(form?.replace.get(`${OWN_NAME}/main.go`) ?? '')?.[1];
  expect(name).toMatch(/^Z[\da-f]{24}$/);
  expect(form?.replace.get(`b/b_${OWN_NAME}.go`)).toBe(
    `package b\n\nimport testing "example.org/a/${OWN_NAME}/t"\n\nfunc ${name}(t *testing.T) {}\n\n\n`,
  );
});

test('tests that need their runner are not tried without it', async () => {
  const go = (body: string, more = ''): ReturnType<typeof plainTests> =>
    plainTests(
      'go',
      ['example.org/a::TestA'],
      tree({
        'go.mod': 'module example.org/a\n',
        'a_test.go': `package a\n\nfunc TestA(t *testing.T) { ${body} }\n${more}`,
      }),
      () => 'a_test.go',
    );
  expect(await go('t.Error(1)')).toHaveLength(1);
  expect(await go('exec.Command(os.Args[0])')).toHaveLength(0);
  expect(await go('t.Error(1)', 'func TestMain(m *testing.M) {}\n')).toHaveLength(0);
});
