import { expect, it } from 'vitest';
import { explainReason } from './explain.ts';

const UNKNOWN = explainReason('some reason that nobody ever wrote');

it.each([
  'no diff produced',
  'disallowed file changed: a.py',
  'tests failed',
  'missing test command',
  'missing required event: plan.updated',
  'reviewer rejected',
  'approval denied: commit',
  'fake engine failed with exit code 124',
  'fake engine failed with exit code 3',
  'fake lifecycle timeout after valid patch',
  'dirty starting tree',
  'dirty ending tree',
  'artifact write failed: test.log',
  'provider unavailable',
  'claimed commit not found',
  'expected tests not reported: 2',
  'patch does not reproduce the tree',
  'baseline did not pass',
  'secret in patch: config.py',
  'run interrupted',
  'interrupted',
  'confinement probe failed',
])('explains in plain words: %s', (reason) => {
  expect(explainReason(reason)).not.toBe(UNKNOWN);
});

it('tells a time limit from any other failure of the engine', () => {
  expect(explainReason('fake engine failed with exit code 124')).toContain('time limit');
  expect(explainReason('fake engine failed with exit code 12')).not.toContain('time limit');
});
