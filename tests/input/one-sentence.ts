import { expect } from 'vitest';
import type { Ended } from '../seatrial.ts';

/** A person's mistake: exit 64, one line that says what is wrong, nothing else. */
export function expectUsageError(ended: Ended, saying: string | RegExp): void {
  expectSentence(ended, 64, saying);
  expect(ended.stdout).toBe('');
}

/** Ended with this code and one line on stderr, which is no stack trace. */
export function expectSentence({ code, stderr }: Ended, wanted: number, saying: string | RegExp): void {
  expect(stderr).toMatch(/^seatrial: [^\n]+\n$/);
  expect(stderr).toMatch(saying);
  expect(stderr).not.toMatch(/internal error|undefined|\[object/);
  expect(code, stderr).toBe(wanted);
}
