import { expect } from 'vitest';

/** Matches the `blocker_codes` of a report whose deciding reason, the first, has this code. */
export const decidedBy = (code: string): unknown =>
  expect.toSatisfy((codes: readonly string[]) => codes[0] === code, `a list that begins with ${code}`);
