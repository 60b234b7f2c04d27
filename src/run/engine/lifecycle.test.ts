import { expect, test } from 'vitest';
import { lifecycleReasons } from './lifecycle.ts';

test('a deadline is never a pass, whatever the patch', () => {
  const codes = (
    completion: 'timed_out' | 'exited' | 'completed_by_harness',
    exitCode: number | null,
    valid: boolean,
    explained = false,
  ) => lifecycleReasons('case', { completion, exitCode }, valid, explained).map(({ code }) => code);
  expect(codes('timed_out', 124, false)).toEqual(['engine_timed_out']);
  expect(codes('timed_out', 124, true)).toEqual(['timeout_after_patch', 'engine_timed_out']);
  expect(codes('exited', 1, true)).toEqual(['engine_failed']);
  expect(codes('exited', null, true)).toEqual(['engine_ended']);
  expect(codes('exited', null, true, true)).toEqual([]);
  expect(codes('exited', 1, true, true)).toEqual(['engine_failed']);
  expect(codes('exited', 139, true)).toEqual(['engine_crashed', 'engine_failed']);
  expect(codes('exited', 0, true)).toEqual([]);
  expect(codes('completed_by_harness', null, true)).toEqual([]);
});
