import { reason } from '../../../evidence/reasons/catalogue.ts';
import { describe, expect, test } from 'vitest';
import { type CopyAnswer, decideMustFail, readCopyAnswer } from './verdict.ts';

const right = (id: string): CopyAnswer[] => [
  { test: id, variant: 'literal', outcome: 'failed' },
  { test: id, variant: 'neutral', outcome: 'passed' },
];

const decide = (
  sample: { fixed?: readonly string[]; others?: readonly string[] },
  answers: readonly CopyAnswer[],
  alarms: readonly { test: string; variant: 'throw' }[] = [],
  definesEquality = true,
) =>
  decideMustFail({
    seed: 'aa',
    sample: { fixed: [], others: [], ...sample },
    answers,
    notAltered: [],
    stopsPassing: [],
    alarms,
    definesEquality,
  });

test.for([
  ['throw', 'failed', 'right'],
  ['throw', 'error', 'right'],
  ['literal', 'passed', 'wrong'],
  ['literal', 'skipped', 'none'],
  ['throw', null, 'none'],
  ['neutral', 'passed', 'right'],
  ['respelled', 'failed', 'wrong'],
  ['neutral', 'error', 'wrong'],
  ['respelled', 'skipped', 'none'],
  ['neutral', null, 'none'],
] as const)('%s that is reported %s is %s', ([variant, outcome, answer]) => {
  expect(readCopyAnswer({ variant, outcome })).toBe(answer);
});

describe('checked', () => {
  test('every fixed test answered, whatever the others did', () => {
    expect(decide({ fixed: ['a', 'b'], others: ['c'] }, [...right('a'), ...right('b')])).toMatchObject({
      isolation: 'checked',
      shown: 2,
      faults: [],
    });
  });

  test('one fixed test that was not altered is enough against it', () => {
    expect(decide({ fixed: ['a', 'b'] }, right('a')).isolation).toBe('in_process');
  });

  test('a test that only failed was perhaps no program any more', () => {
    expect(decide({ fixed: ['a'] }, [{ test: 'a', variant: 'throw', outcome: 'failed' }])).toMatchObject({
      isolation: 'in_process',
      shown: 0,
      faults: [],
    });
  });

  test('where the product can say what equals its values, an expected value must have been altered', () => {
    const thrown: CopyAnswer[] = [
      { test: 'a', variant: 'throw', outcome: 'failed' },
      { test: 'a', variant: 'neutral', outcome: 'passed' },
    ];
    expect(decide({ fixed: ['a'] }, thrown)).toMatchObject({ isolation: 'in_process', shown: 1, faults: [] });
    expect(decide({ fixed: ['a'] }, thrown, [], false).isolation).toBe('checked');
  });

  test('where none was fixed five others have to answer', () => {
    const others = ['a', 'b', 'c', 'd', 'e'];
    expect(decide({ others }, others.flatMap(right)).isolation).toBe('checked');
    expect(decide({ others }, others.slice(1).flatMap(right))).toMatchObject({ isolation: 'in_process', shown: 4 });
  });
});

test('an alarm is a fault, counted by tests', () => {
  const alarms = [
    { test: 'a', variant: 'throw' as const },
    { test: 'a', variant: 'throw' as const },
    { test: 'b', variant: 'throw' as const },
  ];
  expect(decide({ fixed: ['a', 'b', 'c'] }, ['a', 'b', 'c'].flatMap(right), alarms)).toMatchObject({
    faults: [reason('tests_cannot_fail', { n: 2 })],
    isolation: 'in_process',
    shown: 1,
  });
});

test('a test that was altered in one round and could not be in another is an altered one', () => {
  const { mustFail } = decideMustFail({
    seed: 'aa',
    sample: { fixed: ['a'], others: ['b'] },
    answers: right('a'),
    notAltered: [
      { test: 'a', why: 'once' },
      { test: 'b', why: 'first' },
      { test: 'b', why: 'second' },
    ],
    stopsPassing: [],
    alarms: [],
    definesEquality: true,
  });
  expect(mustFail).toEqual({
    seed: 'aa',
    sampled: 2,
    altered: 1,
    not_altered: [{ test: 'b', why: 'first' }],
    alarms: [],
  });
});
