import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RecordedTest } from '../../../evidence/schema/base-record.ts';
import { compareWithRecord } from './compare.ts';

const test = (id: string, outcome: RecordedTest['outcome'], file: string | null = null): RecordedTest => ({
  id,
  outcome,
  file,
});
const compare = (before: readonly RecordedTest[], after: readonly RecordedTest[], without: readonly string[] = []) =>
  compareWithRecord({ tests: [...before] }, after, new Set(without));

it('tells fixed, kept, newly failing, missing and still failing tests apart', () => {
  const before = [
    test('a', 'passed'),
    test('b', 'failed'),
    test('c', 'passed'),
    test('d', 'passed'),
    test('e', 'failed'),
    test('s', 'skipped'),
  ];
  const after = [
    test('a', 'passed'),
    test('b', 'passed'),
    test('c', 'failed'),
    test('e', 'error'),
    test('new', 'passed'),
  ];
  expect(compare(before, after)).toEqual({
    kept: ['a'],
    fixed: ['b'],
    newlyFailing: ['c'],
    missing: ['d'],
    stillFailing: ['e'],
    added: ['new'],
  });
});

it('a test that is newly skipped counts as missing, also one that failed before', () => {
  const { missing, fixed } = compare(
    [test('a', 'passed'), test('b', 'failed')],
    [test('a', 'skipped'), test('b', 'skipped')],
  );
  expect(missing).toEqual(['a', 'b']);
  expect(fixed).toEqual([]);
});

it('a file that did not load stands for its tests: each of them has to pass', () => {
  const before = [test('t/new_test.py', 'error', 't/new_test.py'), test('t/old.py::x', 'passed', 't/old.py')];
  const loaded = [
    test('t/new_test.py::one', 'passed', 't/new_test.py'),
    test('t/new_test.py::two', 'failed', 't/new_test.py'),
  ];
  const result = compare(before, [...loaded, test('t/old.py::x', 'passed')]);
  expect(result.fixed).toEqual(['t/new_test.py::one']);
  expect(result.stillFailing).toEqual(['t/new_test.py::two']);
  expect(result.missing).toEqual([]);
});

it('a file that did not load and is not reported at all is missing', () => {
  expect(compare([test('t/new_test.py', 'error', 't/new_test.py')], []).missing).toEqual(['t/new_test.py']);
});

it('tests without a vote are in no list', () => {
  const result = compare([test('flaky', 'passed')], [test('flaky', 'failed')], ['flaky']);
  expect(Object.values(result).flat()).toEqual([]);
});

it('no outcome after the patch hides a test that passed before', () => {
  const outcome = fc.constantFrom<RecordedTest['outcome']>('passed', 'failed', 'skipped', 'error');
  const tests = fc.uniqueArray(
    fc.record({ id: fc.constantFrom('a', 'b', 'c', 'd', 'e'), outcome, file: fc.constant(null) }),
    {
      selector: ({ id }) => id,
    },
  );
  fc.assert(
    fc.property(tests, tests, (before, after) => {
      const { kept, newlyFailing, missing } = compare(before, after);
      const passed = before.filter((one) => one.outcome === 'passed').map(({ id }) => id);
      expect(passed.filter((id) => ![...kept, ...newlyFailing, ...missing].includes(id))).toEqual([]);
      expect(kept.every((id) => after.some((one) => one.id === id && one.outcome === 'passed'))).toBe(true);
    }),
  );
});
