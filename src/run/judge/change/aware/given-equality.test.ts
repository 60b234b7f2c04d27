import { expect, test } from 'vitest';
import { givesWrittenEquality } from './given-equality.ts';

const COMPARES =
  '    def __eq__(self, other):\n        return type(other) is type(self) and vars(self) == vars(other)\n';
const factory = (equality: string, made: string): string =>
  `def record(name, fields):\n${equality}\n    made = ${made}\n    return made\n`;
const gives = (text: string, source: string): boolean =>
  givesWrittenEquality({ kind: 'assertion', path: 'make.py', line: 1, text }, source);

const WRITTEN = 'made = type(name, (), {"__init__": start, "__eq__": __eq__})';

test('a class that is made by a function may be given an equality that is written beside it', () => {
  expect(gives(WRITTEN, factory(COMPARES, WRITTEN.slice(7)))).toBe(true);
  const lines = 'type(\n        name,\n        (),\n        {\n            "__eq__": __eq__,\n        },\n    )';
  expect(gives('"__eq__": __eq__,', factory(COMPARES, lines))).toBe(true);
});

test('a decorator may give one to the class that it is handed', () => {
  const source = `def comparable(cls):\n${COMPARES}\n    cls.__eq__ = __eq__\n    return cls\n`;
  expect(gives('cls.__eq__ = __eq__', source)).toBe(true);
  expect(gives('cls.__eq__ = __eq__', `from shop import cls\n${source}`)).toBe(false);
});

test.each([
  ['looks at nothing', '    def __eq__(self, other):\n        return True\n'],
  ['looks at one value', '    def __eq__(self, other):\n        return self is not None\n'],
  ['is not written there', ''],
  ['is another one in the end', `${COMPARES}\n    __eq__ = loose\n`],
])('not where the equality %s', (_, equality) => {
  expect(gives(WRITTEN, factory(equality, WRITTEN.slice(7)))).toBe(false);
});

test('not for a type that is there already', () => {
  const source = `def eq(a, b):\n    return a.key == b.key\n\n\nCart.__eq__ = eq\nMEMBERS = {"__eq__": eq}\n`;
  expect(gives('Cart.__eq__ = eq', source)).toBe(false);
  expect(gives('MEMBERS = {"__eq__": eq}', source)).toBe(false);
  expect(gives('setattr(Cart, "__eq__", eq)', source)).toBe(false);
});
