import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
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
  runnerErrors: [],
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

const REASONS: readonly (readonly [string, Partial<JudgeFacts>, 'fail' | 'blocked', Reason])[] = [
  [
    'a test failed',
    { end: exited(1), channel: channel({ a: 'failed', b: 'passed' }, { done: 1 }) },
    'fail',
    reason('tests_failed'),
  ],
  ['a load error', { end: exited(2), channel: channel({ x: 'error' }, { done: 2 }) }, 'fail', reason('tests_failed')],
  [
    'exit 0 without a word',
    { channel: channel({}, { done: null }) },
    'fail',
    reason('expected_tests_missing', { n: 2 }),
  ],
  ['one test is missing', { channel: channel({ a: 'passed' }) }, 'fail', reason('expected_tests_missing', { n: 1 })],
  [
    'an expected test was skipped',
    { channel: channel({ a: 'passed', b: 'skipped' }) },
    'fail',
    reason('expected_tests_skipped', { n: 1 }),
  ],
  [
    'nothing ran',
    { expected: null, end: exited(5), channel: channel({}, { done: 5 }) },
    'fail',
    reason('no_tests_ran'),
  ],
  ['only skips ran', { expected: null, channel: channel({ a: 'skipped' }) }, 'fail', reason('no_tests_ran')],
  [
    'a bad channel',
    { channel: channel({ a: 'passed', b: 'passed' }, { tampered: 'why' }) },
    'fail',
    reason('test_channel_tampered', { how: 'why' }),
  ],
  [
    'the announced end is not the real one',
    { end: exited(0), channel: channel({ a: 'passed', b: 'passed' }, { done: 1 }) },
    'fail',
    reason('test_channel_tampered', { how: 'it announced exit code 1, the runner exited with 0' }),
  ],
  [
    'all passed but no end',
    { channel: channel({ a: 'passed', b: 'passed' }, { done: null }) },
    'fail',
    reason('test_channel_tampered', { how: 'the runner ended without saying so' }),
  ],
  [
    'time ran out',
    { end: { kind: 'timed_out', durationMs: 9 }, channel: channel({ a: 'passed' }, { done: null }) },
    'fail',
    reason('tests_timed_out'),
  ],
  [
    'too much was written',
    { end: { kind: 'over_limit', limit: 'disk', durationMs: 9 } },
    'fail',
    reason('tests_over_limit', { limit: 'disk' }),
  ],
  [
    'all passed but the runner is unhappy',
    { end: exited(3), channel: channel({ a: 'passed', b: 'passed' }, { done: 3 }) },
    'fail',
    reason('runner_exit_code', { exit: 3 }),
  ],
  [
    'the runner is not there',
    { end: exited(4), channel: channel({}, { missing: 'pytest', done: 4 }) },
    'blocked',
    reason('not_installed', { program: 'pytest' }),
  ],
  [
    'the sandbox did not start',
    { end: { kind: 'not_run', detail: 'why', durationMs: 0 } },
    'blocked',
    reason('tests_not_started', { why: 'why' }),
  ],
  [
    'somebody stopped it',
    { interrupted: true, end: { kind: 'killed', durationMs: 1 } },
    'blocked',
    reason('interrupted'),
  ],
  ['the code under test left', { subjectEnd: exited(0) }, 'fail', reason('subject_ended_early')],
];

test.each(REASONS)('%s', (_what, changes, verdict, expected) => {
  const decision = decide(facts(changes));
  expect(decision.verdict).toBe(verdict);
  expect(decision.faults[0]).toEqual(expected);
});

test('every fault is listed, not only the reason', () => {
  const decision = decide(facts({ end: exited(1), channel: channel({ a: 'failed' }, { done: 1 }) }));
  expect(decision.faults).toMatchObject([{ code: 'tests_failed' }, reason('expected_tests_missing', { n: 1 })]);
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
