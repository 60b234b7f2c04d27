import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareTests, regressionsIn } from './before-after.ts';
import type { TestRecord } from '../schema/report.ts';

const tests = (outcomes: Readonly<Record<string, TestRecord['outcome']>>): TestRecord[] =>
  Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome }));
const reasons = (before: Parameters<typeof tests>[0], after: Parameters<typeof tests>[0]): string[] =>
  regressionsIn(compareTests(tests(before), tests(after))).map(({ reason }) => reason.text);

test('lists every test once, by the effect of the change', () => {
  const before = tests({
    a: 'failed',
    b: 'passed',
    c: 'passed',
    d: 'skipped',
    gone: 'passed',
    off: 'passed',
    later: 'skipped',
  });
  const after = tests({
    a: 'passed',
    b: 'passed',
    c: 'error',
    d: 'failed',
    new: 'passed',
    off: 'skipped',
    later: 'skipped',
  });
  expect(compareTests(before, after)).toEqual({
    fixed: ['a', 'new'],
    still_passing: ['b'],
    newly_failing: ['c'],
    no_longer_reported: ['gone', 'off'],
    still_failing: ['d'],
  });
});

describe('a change is compared with the tests before it', () => {
  test.each([
    ['a test that passed fails', { a: 'passed' }, { a: 'failed' }, ['tests newly failing: 1']],
    ['a test that passed breaks off', { a: 'passed' }, { a: 'error' }, ['tests newly failing: 1']],
    ['a test that passed is skipped', { a: 'passed' }, { a: 'skipped' }, ['tests no longer reported: 1']],
    ['a test that passed is gone', { a: 'passed' }, {}, ['tests no longer reported: 1']],
    ['a test is renamed', { a: 'passed' }, { b: 'passed' }, ['tests no longer reported: 1']],
    ['a failing test is removed instead of mended', { a: 'failed' }, { b: 'passed' }, ['tests no longer reported: 1']],
    ['a failing test is skipped instead of mended', { a: 'failed' }, { a: 'skipped' }, ['tests no longer reported: 1']],
    [
      'both at once',
      { a: 'passed', b: 'passed' },
      { a: 'failed' },
      ['tests newly failing: 1', 'tests no longer reported: 1'],
    ],
  ] as const)('%s', (_what, before, after, expected) => {
    expect(reasons(before, after)).toEqual(expected);
  });

  test.each([
    ['a failing test passes', { a: 'failed' }, { a: 'passed' }],
    ['a failing test still fails, which the judge says itself', { a: 'failed' }, { a: 'failed' }],
    ['a test that was skipped is gone', { a: 'skipped' }, {}],
    ['a test is new', {}, { a: 'passed' }],
  ] as const)('but not for this: %s', (_what, before, after) => {
    expect(reasons(before, after)).toEqual([]);
  });
});

describe('a test file that now loads does not count as missing', () => {
  test.each([
    ['pytest', 'tests/test_new.py', 'tests/test_new.py::test_one'],
    ['pytest, a package', 'tests/new', 'tests/new/test_one.py::test_one'],
    ['unittest', 'tests.test_new', 'tests.test_new.Case.test_one'],
    ['unittest, a class', 'setUpClass (tests.test_new.Case)', 'tests.test_new.Case.test_one'],
    ['node', 'new.test.js', 'new.test.js::one'],
    ['node, a suite', 'new.test.js::suite', 'new.test.js::suite > one'],
    ['vitest', '|unit| new.test.ts', '|unit| new.test.ts::one'],
    ['go', 'example.org/new', 'example.org/new::TestOne'],
  ])('%s', (_runner, whole, id) => {
    expect(reasons({ [whole]: 'error' }, { [id]: 'passed' })).toEqual([]);
    expect(reasons({ [whole]: 'error' }, { [id]: 'skipped' })).toEqual(['tests no longer reported: 1']);
    expect(reasons({ [whole]: 'passed' }, { [id]: 'passed' })).toEqual(['tests no longer reported: 1']);
  });

  test('a file with a similar name does not replace it', () => {
    expect(reasons({ 'tests/test_a': 'error' }, { 'tests/test_ab::test_one': 'passed' })).toEqual([
      'tests no longer reported: 1',
    ]);
  });
});

const outcome = fc.constantFrom<TestRecord['outcome']>('passed', 'failed', 'skipped', 'error');
const suite = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd', 'e'), outcome);

test('every lost test that passed before gives a reason', () => {
  fc.assert(
    fc.property(suite, suite, (before, after) => {
      const broken = Object.keys(before).filter((id) => before[id] === 'passed' && after[id] !== 'passed');
      const named = regressionsIn(compareTests(tests(before), tests(after))).flatMap(({ ids }) => ids);
      expect(named).toEqual(expect.arrayContaining(broken));
    }),
  );
});
