import { expect, test } from 'vitest';
import { positionInToml, type TomlPath } from './toml-positions.ts';

const TEXT = `first = 1
[table]
  inner = { a = 1, b = [ 1, { c = 2 } ] }
[[rules]]
allow = "edit"
[[rules]]
pth = "x"
[rules.more]
x.y = 1
`;

test.each<[path: TomlPath, place: string | null]>([
  [['first'], '1:1'],
  [['table', 'inner'], '3:3'],
  [['table', 'inner', 'b', 1, 'c'], '3:31'],
  [['rules', 0, 'allow'], '5:1'],
  [['rules', 1, 'pth'], '7:1'],
  [['rules', 1, 'more', 'x', 'y'], '9:1'],
  [['table', 'missing'], '2:2'],
  [['rules', 1, 'missing'], '6:3'],
  [['nothing'], null],
  [[], null],
])('%j is at %s', (path, place) => {
  const found = positionInToml(TEXT, path);
  expect(found === null ? null : `${found.line}:${found.column}`).toBe(place);
});
