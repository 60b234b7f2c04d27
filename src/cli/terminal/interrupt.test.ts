import { expect, test } from 'vitest';
import { insists, type StopSignal } from './interrupt.ts';

test.each<[what: string, signal: StopSignal, sinceFirstMs: number, ends: boolean]>([
  ['a second Ctrl-C', 'SIGINT', 800, true],
  ['the same Ctrl-C, delivered by the terminal and by npm', 'SIGINT', 3, false],
  ['the two SIGHUPs of a terminal that is closed', 'SIGHUP', 1, false],
  ['a supervisor that repeats itself', 'SIGTERM', 10_000, false],
  ['a CI system that goes on from SIGINT to SIGTERM', 'SIGTERM', 7500, false],
])('%s: %s after %d ms ends at once: %s', (_what, signal, sinceFirstMs, ends) => {
  expect(insists(signal, sinceFirstMs)).toBe(ends);
});
