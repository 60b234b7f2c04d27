import { expect, test } from 'vitest';
import { otherPlace } from './other-place.ts';

const placeOf = (files: Readonly<Record<string, string>>) =>
  otherPlace(['test/a.test.js'], { paths: Object.keys(files), read: (path) => files[path] ?? null });
const TEST = "import { a } from '../lib/a.js';\ntest('a', () => assert.equal(a('x/y'), 'x'));\n";

test('code that asks for no place is tried installed, and from another directory', () => {
  expect(placeOf({ 'lib/a.js': 'export const a = (b) => b;\n', 'test/a.test.js': TEST })).toEqual({
    installed: true,
    away: true,
  });
});

test.each([
  ['lib/a.js', 'export const a = (b) => join(process.cwd(), b);\n'],
  ['lib/a.js', "export const a = () => readFileSync('lists/a.txt');\n"],
  ['lib/a.js', 'export const a = (b) => path.resolve(b);\n'],
  ['test/a.test.js', "test('a', () => assert.equal(a('lists/a.txt'), 'x'));\n"],
  ['test/a.test.js', "test('a', () => assert.equal(a('./lists'), 'x'));\n"],
])('what is named from where a program starts keeps it there: %s with %s', (path, text) => {
  const files = { 'lib/a.js': '', 'lists/a.txt': 'x', 'test/a.test.js': TEST, [path]: text };
  expect(placeOf(files)).toEqual({ installed: true, away: false });
});

test('code that knows of installed packages stays outside of them', () => {
  expect(placeOf({ 'lib/a.js': "export const a = (b) => !b.includes('node_modules');\n" }).installed).toBe(false);
});
