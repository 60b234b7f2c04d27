import { expect, test } from 'vitest';
import { type Candidate, countable } from './watchdogs.ts';

const candidate = (pid: number, parent: number, command: string): Candidate => ({
  pid,
  parent,
  command,
  startTime: '1',
  dir: '/live',
});

test('a watchdog that is about to start two programs is still one', () => {
  const all = [candidate(10, 1, 'w'), candidate(11, 10, 'w'), candidate(12, 10, 'w')];
  expect(countable(all).map(({ pid }) => pid)).toEqual([10]);
});

test('a program that starts a watchdog is not a second one', () => {
  const all = [candidate(9, 1, 'launch watchdog'), candidate(10, 9, 'w'), candidate(11, 10, 'w')];
  expect(countable(all).map(({ pid }) => pid)).toEqual([10]);
});

test('two watchdogs are two, also when one command line started both', () => {
  expect(countable([candidate(10, 1, 'w'), candidate(20, 1, 'w')])).toHaveLength(2);
  expect(countable([candidate(9, 1, 'all'), candidate(10, 9, 'w'), candidate(20, 9, 'w')])).toHaveLength(2);
});
