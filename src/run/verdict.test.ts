import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Blocker, decideVerdict, lifecycleBlockers, STEPS } from './verdict.ts';

const blocker = fc.record(
  {
    step: fc.constantFrom(...STEPS),
    reason: fc.string({ minLength: 1 }),
    kind: fc.constantFrom('fail', 'blocked', 'lost'),
    cause: fc.constantFrom('provider', 'protocol'),
  },
  { requiredKeys: ['step', 'reason', 'kind'] },
) satisfies fc.Arbitrary<Blocker>;

test('nothing against it is a pass, and anything against it is not', () => {
  fc.assert(
    fc.property(fc.array(blocker), (found) => {
      const verdict = decideVerdict(found);
      expect(verdict.status === 'pass').toBe(found.length === 0);
      expect(new Set(verdict.blockers)).toEqual(new Set(found.map(({ reason }) => reason)));
      expect(verdict.failureReason).toBe(verdict.blockers[0] ?? null);
    }),
  );
});

test('the first step decides, whatever order things were found in', () => {
  const found: Blocker[] = [
    { step: 'judge', reason: 'tests failed', kind: 'fail' },
    { step: 'diff', reason: 'no diff produced', kind: 'fail' },
  ];
  expect(decideVerdict(found)).toMatchObject({ status: 'fail', failureReason: 'no diff produced' });
});

test('which tests a change broke says more than that tests failed, and less than what came before judging', () => {
  const found: Blocker[] = [
    { step: 'judge', reason: 'tests failed', kind: 'fail' },
    { step: 'control', reason: 'tests newly failing: 3', kind: 'fail', cause: 'regression' },
  ];
  expect(decideVerdict(found).blockers).toEqual(['tests newly failing: 3', 'tests failed']);
  const denied: Blocker = { step: 'approvals', reason: 'approval denied: deliver', kind: 'blocked' };
  expect(decideVerdict([...found, denied]).failureReason).toBe('approval denied: deliver');
});

test('a cause outranks its symptom, and lost evidence outranks both', () => {
  const found: Blocker[] = [
    { step: 'engine', reason: 'fake engine failed with exit code 69', kind: 'fail' },
    { step: 'engine', reason: 'provider unavailable', kind: 'blocked', cause: 'provider' },
  ];
  expect(decideVerdict(found)).toMatchObject({ status: 'blocked', failureReason: 'provider unavailable' });
  const protocol: Blocker = { step: 'engine', reason: 'agent result protocol failed', kind: 'fail', cause: 'protocol' };
  expect(decideVerdict([protocol, ...found]).blockers).toEqual([
    'provider unavailable',
    'agent result protocol failed',
    'fake engine failed with exit code 69',
  ]);
  expect(decideVerdict([...found, { step: 'seal', reason: 'artifact write failed: x', kind: 'lost' }])).toMatchObject({
    status: 'blocked',
    failureReason: 'artifact write failed: x',
    evidenceLost: true,
  });
});

test('a deadline is never a pass, whatever the patch', () => {
  const reasons = (
    completion: 'timed_out' | 'exited' | 'completed_by_harness',
    exitCode: number | null,
    valid: boolean,
  ) => lifecycleBlockers('case', { completion, exitCode }, valid).map(({ reason }) => reason);
  expect(reasons('timed_out', 124, false)).toEqual(['case engine failed with exit code 124']);
  expect(reasons('timed_out', 124, true)).toEqual([
    'case lifecycle timeout after valid patch',
    'case engine failed with exit code 124',
  ]);
  expect(reasons('exited', 1, true)).toEqual(['case engine failed with exit code 1']);
  expect(reasons('exited', 0, true)).toEqual([]);
  expect(reasons('completed_by_harness', null, true)).toEqual([]);
});
