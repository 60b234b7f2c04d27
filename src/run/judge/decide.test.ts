import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SandboxResult } from '../../confine/types.ts';
import type { TestRecord } from '../../evidence/schema/report.ts';
import type { ChannelReading } from './sandbox/channel.ts';
import { decide, type JudgeFacts } from './decide.ts';

const exited = (exitCode: number): SandboxResult => ({ kind: 'exited', exitCode, durationMs: 1 });
const channel = (
  outcomes: Readonly<Record<string, TestRecord['outcome']>>,
  rest: Partial<ChannelReading> = {},
): ChannelReading => ({
  tests: Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome, file: null })),
  collected: [],
  exitCodeOnly: false,
  done: 0,
  missing: null,
  tampered: null,
  ...rest,
});
const facts = (changes: Partial<JudgeFacts> = {}): JudgeFacts => ({
  end: exited(0),
  channel: channel({ a: 'passed', b: 'passed' }),
  expected: ['a', 'b'],
  subjectEnd: null,
  interrupted: false,
  ...changes,
});

test('everything expected passed, and the runner said so to its end', () => {
  expect(decide(facts())).toMatchObject({ verdict: 'pass', faults: [] });
  expect(decide(facts({ expected: null }))).toMatchObject({ verdict: 'pass', faults: [] });
});

const REASONS: readonly (readonly [string, Partial<JudgeFacts>, 'fail' | 'blocked', string])[] = [
  [
    'a test failed',
    { end: exited(1), channel: channel({ a: 'failed', b: 'passed' }, { done: 1 }) },
    'fail',
    'tests failed',
  ],
  ['a load error', { end: exited(2), channel: channel({ x: 'error' }, { done: 2 }) }, 'fail', 'tests failed'],
  ['exit 0 without a word', { channel: channel({}, { done: null }) }, 'fail', 'expected tests not reported: 2'],
  ['one test is missing', { channel: channel({ a: 'passed' }) }, 'fail', 'expected tests not reported: 1'],
  [
    'an expected test was skipped',
    { channel: channel({ a: 'passed', b: 'skipped' }) },
    'fail',
    'expected tests skipped: 1',
  ],
  ['nothing ran', { expected: null, end: exited(5), channel: channel({}, { done: 5 }) }, 'fail', 'no tests ran'],
  ['only skips ran', { expected: null, channel: channel({ a: 'skipped' }) }, 'fail', 'no tests ran'],
  [
    'a bad channel',
    { channel: channel({ a: 'passed', b: 'passed' }, { tampered: 'why' }) },
    'fail',
    'test channel tampered: why',
  ],
  [
    'the announced end is not the real one',
    { end: exited(0), channel: channel({ a: 'passed', b: 'passed' }, { done: 1 }) },
    'fail',
    'test channel tampered: it announced exit code 1, the runner exited with 0',
  ],
  [
    'all passed but no end',
    { channel: channel({ a: 'passed', b: 'passed' }, { done: null }) },
    'fail',
    'test channel tampered: the runner ended without saying so',
  ],
  [
    'time ran out',
    { end: { kind: 'timed_out', durationMs: 9 }, channel: channel({ a: 'passed' }, { done: null }) },
    'fail',
    'tests timed out',
  ],
  [
    'too much was written',
    { end: { kind: 'over_limit', limit: 'disk', durationMs: 9 } },
    'fail',
    'tests went over the limit: disk',
  ],
  [
    'all passed but the runner is unhappy',
    { end: exited(3), channel: channel({ a: 'passed', b: 'passed' }, { done: 3 }) },
    'fail',
    'the test runner exited with code 3',
  ],
  [
    'the runner is not there',
    { end: exited(4), channel: channel({}, { missing: 'pytest', done: 4 }) },
    'blocked',
    'not installed: pytest',
  ],
  [
    'the sandbox did not start',
    { end: { kind: 'not_run', detail: 'why', durationMs: 0 } },
    'blocked',
    'the tests could not be started: why',
  ],
  ['somebody stopped it', { interrupted: true, end: { kind: 'killed', durationMs: 1 } }, 'blocked', 'interrupted'],
  ['the code under test left', { subjectEnd: exited(0) }, 'fail', 'the code under test ended before the tests did'],
];

test.each(REASONS)('%s', (_what, changes, verdict, reason) => {
  const decision = decide(facts(changes));
  expect(decision.verdict).toBe(verdict);
  expect(decision.faults[0]).toBe(reason);
});

test('every fault is listed, not only the reason', () => {
  const decision = decide(facts({ end: exited(1), channel: channel({ a: 'failed' }, { done: 1 }) }));
  expect(decision.faults).toEqual(['tests failed', 'expected tests not reported: 1']);
});

test('a pass means exit 0, an announced end and every expected test passed, whatever else came', () => {
  const outcome = fc.constantFrom('passed', 'failed', 'skipped', 'error');
  const ids = fc.constantFrom('a', 'b', 'c', 'd');
  fc.assert(
    fc.property(
      fc.dictionary(ids, outcome),
      fc.option(fc.uniqueArray(ids)),
      fc.option(fc.constantFrom(0, 1, 5)),
      fc.constantFrom(0, 1, 5),
      fc.option(fc.constant('why')),
      (outcomes, expected, done, exitCode, tampered) => {
        const { verdict } = decide(
          facts({ end: exited(exitCode), expected, channel: channel(outcomes, { done, tampered }) }),
        );
        const seen = Object.values(outcomes);
        const proven =
          exitCode === 0 &&
          done === 0 &&
          tampered === null &&
          seen.includes('passed') &&
          !seen.includes('failed') &&
          !seen.includes('error') &&
          (expected ?? []).every((id) => outcomes[id] === 'passed');
        expect(verdict === 'pass').toBe(proven);
      },
    ),
  );
});
