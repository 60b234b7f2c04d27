import { expect, test } from 'vitest';
import { reason } from '../../evidence/reasons/catalogue.ts';
import { anyWithCode } from '../../engines/self-test.ts';
import { compareRow, type Played, type Row, type Seen } from './row.ts';

const row: Row = {
  name: 'a forger',
  kind: 'git',
  expected: {
    reason: reason('tests_failed'),
    event: 'run.completed',
    status: 'fail',
    exit: 1,
    note: /forge/,
    says: /^nothing$/,
  },
  play: () => Promise.reject(new Error('not played')),
};
const seen: Seen = {
  reason: 'tests failed',
  code: 'tests_failed',
  events: ['run.started', 'run.completed'],
  status: 'fail',
  exit: 1,
  note: 'could forge this',
  says: 'nothing',
};
const isGood = (change: Partial<Seen>, weak?: Played['weak']): boolean =>
  compareRow(row, { seen: { ...seen, ...change }, run: 'r', ...(weak === undefined ? {} : { weak }) }).ok;

test('a row is good when all of it is as expected', () => {
  expect(isGood({})).toBe(true);
  expect(isGood({}, { judge: 'exit code', fooled: true })).toBe(true);
  expect(isGood({}, { judge: null, fooled: false, why: 'not here' })).toBe(true);
});

test.each<Partial<Seen>>([
  { reason: 'tests failed: 3' },
  { code: 'tests_missing' },
  { code: null, reason: null },
  { status: 'pass' },
  { exit: 0 },
  { events: ['run.started'] },
  { note: null },
  { says: 'something' },
])('one difference makes it bad: %j', (change) => {
  expect(isGood(change)).toBe(false);
});

test('a row that expects a code alone takes any parameters', () => {
  const wanted = { ...row, expected: { ...row.expected, reason: anyWithCode('tests_newly_failing') } };
  const found = { ...seen, code: 'tests_newly_failing', reason: 'tests newly failing: 7' };
  const compared = compareRow(wanted, { seen: found, run: 'r' });
  expect(compared).toMatchObject({ ok: true, expected: { reason: 'tests newly failing: <n>' } });
});

test('a forger that does not fool the weaker judge shows nothing', () => {
  expect(isGood({}, { judge: 'exit code', fooled: false })).toBe(false);
});
