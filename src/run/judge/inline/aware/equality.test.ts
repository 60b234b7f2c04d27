import { expect, test } from 'vitest';
import type { Language } from '../../syntax/language.ts';
import { findTestAwareCode } from './find.ts';

const found = async (language: Language, text: string): Promise<readonly string[]> =>
  (await findTestAwareCode(language, text)).filter(({ kind }) => kind === 'assertion').map((one) => one.text);

const rust = (body: string, other = 'other'): string =>
  `struct Bill { sum: i64, items: usize }\nimpl PartialEq for Bill {\n    fn eq(&self, ${other}: &Self) -> bool { ${body} }\n}\n`;
const python = (body: string): string =>
  `@dataclass\nclass Bill:\n    sum: int\n    items: int\n\n    def __eq__(self, other):\n        ${body}\n`;
const javascript = (body: string): string =>
  `class Bill {\n  constructor(sum, items) {\n    this.sum = sum;\n    this.items = items;\n  }\n  equals(other) {\n    ${body}\n  }\n}\n`;
const go = (body: string): string =>
  `package a\n\ntype Bill struct{ Sum, Items int }\n\nfunc (b *Bill) Equal(o *Bill) bool { ${body} }\n`;

test.each<[Language, string]>([
  ['rust', rust('true', '_other')],
  ['rust', rust('self.sum == 3')],
  ['rust', 'pub struct Any(String);\nimpl PartialEq<&str> for Any { fn eq(&self, _: &&str) -> bool { true } }'],
  ['python', python('return True')],
  ['python', 'class Any(int):\n    def __eq__(self, other):\n        return True\n'],
  ['javascript', javascript('return true;')],
  [
    'typescript',
    'class Bill {\n  constructor(readonly sum: number) {}\n  equals(_other: Bill): boolean {\n    return true;\n  }\n}',
  ],
  ['go', go('return true')],
])('%s: an equality that compares nothing is found: %s', async (language, text) => {
  expect(await found(language, text)).toEqual([expect.stringMatching(/^equality of (?:Bill|Any) compares nothing$/)]);
});

test.each([
  'struct Any { template <typename T> bool operator==(const T &) const { return true; } };',
  'bool operator!=(const Any &a, const char *) { return false; }',
])('c++: an equality that compares nothing is found: %s', async (text) => {
  expect(await found('c', text)).toEqual([expect.stringMatching(/compares nothing$/)]);
});

test('c++: an equality that looks at both values is not', async () => {
  expect(await found('c', 'bool operator==(const A &a, const A &b) { return a.x == b.x; }')).toEqual([]);
  expect(await found('c', 'struct A { int x; bool operator==(const A &o) const { return x == o.x; } };')).toEqual([]);
});

test.each<[Language, string, string]>([
  ['rust', rust('self.items == other.items'), 'sum'],
  ['rust', rust('self.sum == self.sum && self.items == other.items && other.items > 0'), 'sum'],
  ['rust', 'struct Bill(i64, u8);\nimpl PartialEq for Bill { fn eq(&self, o: &Bill) -> bool { self.1 == o.1 } }', '0'],
  ['python', python('return self.items == other.items'), 'sum'],
  ['python', '@dataclass\nclass Bill:\n    sum: int = field(compare=False)\n', 'sum'],
  ['javascript', javascript('return this.items === other.items;'), 'sum'],
  ['go', go('return b.Items == o.Items'), 'Sum'],
])('%s: an equality that leaves a field out is found: %s', async (language, text, field) => {
  expect(await found(language, text)).toContain(`equality of Bill leaves out ${field}`);
});

test.each<[Language, string]>([
  ['rust', rust('self.sum == other.sum && self.items == other.items')],
  ['rust', rust('self.key() == other.key()')],
  ['rust', rust('let Bill { sum, .. } = self; *sum == other.sum')],
  ['rust', 'struct Unit;\nimpl PartialEq for Unit { fn eq(&self, _: &Unit) -> bool { true } }'],
  ['rust', '#[derive(PartialEq)]\nstruct Bill { sum: i64 }'],
  ['python', python('return (self.sum, self.items) == (other.sum, other.items)')],
  ['python', python('return isinstance(other, Bill) and self.__dict__ == other.__dict__')],
  ['python', 'class Bill:\n    sum: int\n    def __eq__(self, other: object) -> bool: ...\n'],
  ['python', 'class Missing:\n    def __eq__(self, other):\n        return isinstance(other, Missing)\n'],
  ['javascript', javascript('return this.sum === other.sum && this.items === other.items;')],
  ['javascript', javascript('return this.toString() === other.toString();')],
  ['javascript', 'class Line {\n  same() {\n    return true;\n  }\n}'],
  ['go', go('return *b == *o')],
  ['go', go('return b.Sum == o.Sum && b.Items == o.Items')],
])('%s: nothing is wrong with %s', async (language, text) => {
  expect(await found(language, text)).toEqual([]);
});

test.each<[Language, string, string]>([
  ['python', 'class Tags(list):\n    def __contains__(self, tag):\n        return True\n', '__contains__ of Tags'],
  [
    'python',
    'class Kind(ABC):\n    @classmethod\n    def __subclasshook__(cls, other):\n        return True\n',
    '__subclasshook__ of Kind',
  ],
  [
    'go',
    'package a\n\ntype fault struct{ text string }\n\nfunc (f fault) Is(error) bool { return true }\n',
    'Is of fault',
  ],
  [
    'go',
    'package a\n\ntype fault struct{ text string }\n\nfunc (f fault) As(target any) bool { return true }\n',
    'As of fault',
  ],
])('%s: what says yes to everything is found: %s', async (language, text, what) => {
  expect(await found(language, text)).toEqual([`${what} compares nothing`]);
});

test.each<[Language, string]>([
  ['python', 'class Tags(list):\n    def __contains__(self, tag):\n        return tag.lower() in KNOWN\n'],
  ['python', 'class Stream:\n    def __contains__(self, item):\n        raise TypeError("a stream is read once")\n'],
  ['python', 'class Nothing:\n    def __contains__(self, item):\n        return False\n'],
  [
    'go',
    'package a\n\ntype fault struct{ text string }\n\nfunc (f fault) Is(target error) bool { return target == ErrGone }\n',
  ],
  ['go', 'package a\n\ntype Set struct{ n int }\n\nfunc (s Set) Is(name string) bool { return name == "x" }\n'],
])('%s: what looks at what it is asked about is not: %s', async (language, text) => {
  expect(await found(language, text)).toEqual([]);
});

test.each<[Language, string]>([
  ['python', 'class Kind(type):\n    def __instancecheck__(cls, other):\n        return hasattr(other, "area")\n'],
  ['python', 'class Circle:\n    @property\n    def __class__(self):\n        return Shape\n'],
  [
    'javascript',
    'class ParseError extends Error {\n  static [Symbol.hasInstance](value) {\n    return value instanceof Error;\n  }\n}\n',
  ],
])('%s: a type that says itself what its instances are is found: %s', async (language, text) => {
  expect(await found(language, text)).toHaveLength(1);
});

test('a value that is unequal to nothing is found', async () => {
  const unequal = (body: string): string => `class Any(str):\n    def __ne__(self, other):\n        ${body}\n`;
  expect(await found('python', unequal('return False'))).toEqual(['__ne__ of Any compares nothing']);
  expect(await found('python', unequal('return not self == other'))).toEqual([]);
});

test.each([
  ['bill.equals = () => true;', true],
  ['const bill = { n, equals: (other) => true };', true],
  ['const bill = { n, equals() { return true; } };', true],
  ['bill.isEqual = function (other) { return !0; };', true],
  ['bill.equals = (other) => other.n === n;', false],
  ['const options = { equal: true };', false],
])('one value that is equal to all: %s', async (code, isFound) => {
  expect((await found('javascript', code)).length > 0).toBe(isFound);
});
