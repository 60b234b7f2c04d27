import { expect, test } from 'vitest';
import { plainText } from './without-styles.ts';

test.each([
  String.raw`f"\x1b[1m{text}\x1b[0m"`,
  String.raw`f"\033[1;31m{text}\033[m"`,
  'f"\u001B[38;5;208m{text}\u001B[0m"',
  String.raw`f"\x1b[{code}m{text}\x1b[%dm"`,
  String.raw`f"\u001b[${'${code}'}m{text}\u{1b}[0m"`,
])('no style is left of %s', (source) => {
  expect(plainText(source)).toBe('f"{text}"');
});

test.each([String.raw`"\x1b[2J"`, 'rows[1]', 'x = [12]\nm = 3'])('what is no style stays: %s', (source) => {
  expect(plainText(source)).toBe(source);
});
