import { expect, test } from 'vitest';
import { reason, REASONS } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { sampleReport } from '../../evidence/report/render/sample-report.fixture.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { decideRetry, type RetryFacts } from './decide.ts';
import { addSpent, NOTHING_SPENT, remainingBudgets, spentIn } from './spent.ts';

function ended(status: Report['status'], reasons: readonly Reason[]): Report {
  const blockers = reasons.map(({ text }) => text);
  return {
    ...sampleReport(),
    status,
    blockers,
    blocker_codes: reasons.map(({ code }) => code),
    failure_reason: blockers[0] ?? null,
  };
}

const FAILED = ended('fail', [reason('tests_failed')]);

const FACTS: RetryFacts = {
  report: FAILED,
  attempts: 1,
  maxAttempts: 3,
  interrupted: false,
  timeLimitSec: 60,
  budgets: {},
  spent: { ...NOTHING_SPENT, seconds: 10 },
};

test.each<[what: string, facts: Partial<RetryFacts>]>([
  ['tests that failed', {}],
  ['a provider that was down', { report: ended('blocked', [reason('provider_http_error', { status: 502 })]) }],
  ['budgets that are not used up', { budgets: { max_tokens: 100 }, spent: { ...NOTHING_SPENT, tokens: 99 } }],
])('another attempt follows %s', (_what, facts) => {
  expect(decideRetry({ ...FACTS, ...facts }, REASONS)).toEqual({ retry: true });
});

const CANNOT_CHANGE = 'another attempt cannot change the reason';

test.each<[what: string, facts: Partial<RetryFacts>, why: string]>([
  ['a pass', { report: ended('pass', []) }, 'it passed'],
  ['Ctrl-C', { interrupted: true }, 'interrupted'],
  ['the last attempt', { attempts: 3 }, 'no attempts are left'],
  ['a check that refused', { report: ended('blocked', [reason('baseline_failed')]) }, CANNOT_CHANGE],
  ['a key that is refused', { report: ended('blocked', [reason('provider_unauthorized')]) }, CANNOT_CHANGE],
  ['tests that were forged', { report: ended('fail', [reason('tests_cannot_fail', { n: 1 })]) }, CANNOT_CHANGE],
  [
    'a budget that was exceeded, beside failed tests',
    { report: ended('fail', [reason('tests_failed'), reason('over_budget', { budget: 'max_tokens' })]) },
    CANNOT_CHANGE,
  ],
  ['its whole time', { spent: { ...NOTHING_SPENT, seconds: 60 } }, 'the time limit of the engine is used up'],
  [
    'its requests',
    { budgets: { max_requests: 2 }, spent: { ...NOTHING_SPENT, requests: 2 } },
    '--max-requests is used up',
  ],
  [
    'its money',
    { budgets: { max_cost_usd: 1 }, spent: { ...NOTHING_SPENT, costUsd: 1.5 } },
    '--max-cost-usd is used up',
  ],
  [
    'tokens that were not counted',
    { budgets: { max_tokens: 9 }, spent: { ...NOTHING_SPENT, tokens: null } },
    '--max-tokens is used up',
  ],
])('no attempt follows %s', (_what, facts, why) => {
  expect(decideRetry({ ...FACTS, ...facts }, REASONS)).toEqual({ retry: false, why });
});

test('the budgets of all attempts together are one', () => {
  const usage = { requests: 2, input_tokens: 30, output_tokens: 12, cost_usd: 0.25 };
  const spent = addSpent(addSpent(NOTHING_SPENT, spentIn({ usage }, [])), spentIn({ usage }, []));
  expect(remainingBudgets({ max_requests: 5, max_tokens: 100, max_cost_usd: 0.4 }, spent)).toEqual({
    max_requests: 1,
    max_tokens: 16,
    max_cost_usd: 0,
  });
  expect(remainingBudgets({}, spent)).toEqual({});
});
