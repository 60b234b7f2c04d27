import { expect, test } from 'vitest';
import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { decideSealedDemand, type SealedFacts } from './sealed-tests.ts';

const RECORD: BaseRecord = {
  schema_version: 1,
  key: '0'.repeat(64),
  test_command: 'pytest',
  runner: 'pytest',
  exit_code: 1,
  duration_ms: 1,
  tests: [
    { id: 'tests/test_own.py::test_a', outcome: 'failed', file: 'tests/test_own.py' },
    { id: 'tests/test_new.py::test_b', outcome: 'failed', file: 'tests/test_new.py' },
    { id: 'tests/test_new.py::test_c', outcome: 'passed', file: 'tests/test_new.py' },
  ],
  flaky: [],
  failed_commands: [],
  collected: ['tests/test_own.py', 'tests/test_new.py'],
  found_by: 'strace',
  read: [],
  asked: [],
  missing: [],
  written: [],
  listed: [],
  links: [],
  outside_modules: [],
};

const decide = (record: Partial<BaseRecord>, facts: Partial<SealedFacts> = {}) =>
  decideSealedDemand({
    record: { ...RECORD, ...record },
    paths: ['tests/test_new.py'],
    ownIds: null,
    mayPass: false,
    ...facts,
  });

test('every sealed test that fails on the base must be fixed, and no other', () => {
  expect(decide({})).toEqual({ mustFix: ['tests/test_new.py::test_b'] });
});

test('sealed tests that all pass already, or fail only at times, demand nothing', () => {
  const refused = { reason: reason('no_sealed_test_fails') };
  expect(decide({ tests: RECORD.tests.map((one) => ({ ...one, outcome: 'passed' })) })).toEqual(refused);
  expect(decide({ flaky: ['tests/test_new.py::test_b'] })).toEqual(refused);
});

test('a sealed test file from which nothing was reported is named', () => {
  const paths = ['tests/test_new.py', 'accept/test_more.py', 'accept/conftest.py', 'accept/words.json'];
  expect(decide({}, { paths })).toEqual({ reason: reason('sealed_tests_missing', { path: 'accept/test_more.py' }) });
});

test('where a runner names no files, the ids that the base alone does not report are the sealed ones', () => {
  const tests = [
    { id: 'own', outcome: 'failed', file: null },
    { id: 'new', outcome: 'failed', file: null },
  ] as const;
  const paths = ['check/new.sh'];
  expect(decide({ tests: [...tests] }, { paths, ownIds: new Set(['own']) })).toEqual({ mustFix: ['new'] });
  expect(decide({ tests: [...tests] }, { paths, ownIds: new Set(['own', 'new']) })).toEqual({
    reason: reason('sealed_tests_missing', { path: 'check/new.sh' }),
  });
});
