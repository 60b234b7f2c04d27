import { expect, test } from 'vitest';
import { leavesSomething } from './lasting-state.ts';

const files = (text: string) => ({ paths: ['a'], read: () => text });

test.each([
  ["fs.appendFileSync(file, '.');", true],
  ['open(MARK, "a").close()', true],
  ['setTimeout(() => (young = false), 9e9).unref();', true],
  ['new FinalizationRegistry(() => {});', true],
  ['return text.toLowerCase();', false],
])('%s: %s', (line, expected) => {
  expect(leavesSomething(['a'], files(`${line}\n`), files(''))).toBe(expected);
});

test('lines that the base has are not new', () => {
  const before = 'setTimeout(run, 5);\n';
  expect(leavesSomething(['a'], files(`${before}const a = 1;\n`), files(before))).toBe(false);
});

test('other files do not count', () => {
  expect(leavesSomething([], files('open(MARK)'), files(''))).toBe(false);
});
