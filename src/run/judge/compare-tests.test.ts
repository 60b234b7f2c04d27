import { expect, test } from 'vitest';
import { compareTests } from './compare-tests.ts';

test('every test is named once, by what the change did to it', () => {
  const before = [
    { id: 'a', outcome: 'failed' as const },
    { id: 'b', outcome: 'passed' as const },
    { id: 'c', outcome: 'passed' as const },
    { id: 'd', outcome: 'skipped' as const },
    { id: 'gone', outcome: 'passed' as const },
    { id: 'later', outcome: 'skipped' as const },
  ];
  const after = [
    { id: 'a', outcome: 'passed' as const },
    { id: 'b', outcome: 'passed' as const },
    { id: 'c', outcome: 'error' as const },
    { id: 'd', outcome: 'failed' as const },
    { id: 'new', outcome: 'passed' as const },
    { id: 'later', outcome: 'skipped' as const },
  ];
  expect(compareTests(before, after)).toEqual({
    fixed: ['a', 'new'],
    still_passing: ['b'],
    newly_failing: ['c', 'gone'],
    still_failing: ['d'],
  });
});
