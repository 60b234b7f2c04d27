import { expect, test } from 'vitest';
import { sampleReport } from '../../evidence/report/render/sample-report.fixture.ts';
import { type GateFacts, holdsOf } from './holds.ts';

const PASSED: GateFacts = {
  branch: 'main',
  report: { ...sampleReport(), status: 'pass', failure_reason: null },
  flaky: [],
  failingBefore: new Set(),
  knownFailing: [],
  unvoted: [],
  acceptExitCode: false,
};
const textsOf = (facts: Partial<GateFacts>): string[] => holdsOf({ ...PASSED, ...facts }).map(({ text }) => text);
const withTests = (tests: Partial<GateFacts['report']['tests']>): Pick<GateFacts, 'report'> => ({
  report: { ...PASSED.report, tests: { ...PASSED.report.tests, ...tests } },
});

test('a merged tree that passes may land', () => {
  expect(textsOf({})).toEqual([]);
});

test('a merged tree that fails or has no verdict is held with the reason', () => {
  const failed = { ...PASSED.report, status: 'fail', failure_reason: 'tests timed out' } as const;
  expect(textsOf({ report: failed })[0]).toMatch(/^merged with main, it does not pass: tests timed out/);
  const blocked = { ...PASSED.report, status: 'blocked', failure_reason: 'interrupted' } as const;
  expect(textsOf({ report: blocked })[0]).toMatch(/^merged with main, it could not be judged: interrupted/);
});

test('a landing that a policy or a person denied is held with how', () => {
  const denied = { id: 'approval-1', action: 'land main', decision: 'denied', by: 'a', how: 'policy', at: '' } as const;
  const report = {
    ...PASSED.report,
    status: 'blocked',
    failure_reason: 'approval denied',
    approvals: [denied],
  } as const;
  expect(textsOf({ report: { ...report, approvals: [denied] } })).toEqual(['landing on main was not approved: policy']);
});

test('an exit code alone holds, unless a person lands by it', () => {
  expect(textsOf(withTests({ seen: [] }))).toEqual([
    'no tests ran on the merged tree: the test command reports no tests',
  ]);
  expect(textsOf({ ...withTests({ seen: [] }), acceptExitCode: true })).toEqual([]);
});

test('flaky tests hold, unless they are known to fail', () => {
  expect(textsOf({ flaky: ['t::a', 't::b'] })).toEqual(['flaky tests: t::a, t::b']);
  expect(textsOf({ flaky: ['t::a'], knownFailing: ['t::a'] })).toEqual([]);
});

test('tests of the change that fail hold, unless they failed before', () => {
  const shown = withTests({ shown: { reported: 2, failing: ['t::new', 't::old'], added: ['t::new'] } });
  expect(textsOf({ ...shown, failingBefore: new Set(['t::old']) })).toEqual([
    'tests of the change fail on the merged tree: t::new',
  ]);
});

test('files that were judged in the version of the branch hold', () => {
  expect(textsOf({ unvoted: ['tests/helper.py'] })).toEqual(['had no vote on the merged tree: tests/helper.py']);
});
