import { codesOf, decidingCode, explainCode } from '../../evidence/reasons/explain.ts';
import type { ReasonCatalogue } from '../../evidence/reasons/reason.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { Budgets } from '../../gateway/types.ts';
import type { Spent } from './spent.ts';

export interface RetryFacts {
  /** Of the attempt that has just ended. */
  readonly report: Report;
  readonly attempts: number;
  readonly maxAttempts: number;
  readonly interrupted: boolean;
  /** The limits of all attempts together, and what they have used. */
  readonly timeLimitSec: number;
  readonly budgets: Budgets;
  readonly spent: Spent;
}

export type RetryDecision = { readonly retry: true } | { readonly retry: false; readonly why: string };

const stop = (why: string): RetryDecision => ({ retry: false, why });

/** Whether another attempt is allowed and could end differently. */
export function decideRetry(facts: RetryFacts, reasons: ReasonCatalogue): RetryDecision {
  const { report, attempts, maxAttempts, interrupted, timeLimitSec, budgets, spent } = facts;
  if (report.status === 'pass') return stop('it passed');
  if (interrupted) return stop('interrupted');
  if (attempts >= maxAttempts) return stop('no attempts are left');
  if (!isRetryable(report, reasons)) return stop('another attempt cannot change the reason');
  if (spent.seconds >= timeLimitSec) return stop('the time limit of the engine is used up');
  const used = exhausted(budgets, spent);
  return used === null ? { retry: true } : stop(`${used} is used up`);
}

/** One reason that forbids another attempt is enough. A blocked run is tried again only for a reason that says so. */
function isRetryable(report: Report, reasons: ReasonCatalogue): boolean {
  if (codesOf(report, reasons).some((code) => explainCode(code, reasons).retry === 'never')) return false;
  return report.status === 'fail' || explainCode(decidingCode(report) ?? '', reasons).retry === 'again';
}

/** A budget whose use is not known counts as used up. */
function exhausted({ max_requests, max_tokens, max_cost_usd }: Budgets, spent: Spent): string | null {
  const isUsed = (max: number | undefined, used: number | null): boolean =>
    max !== undefined && (used === null || used >= max);
  if (isUsed(max_requests, spent.requests)) return '--max-requests';
  if (isUsed(max_tokens, spent.tokens)) return '--max-tokens';
  if (isUsed(max_cost_usd, spent.costUsd)) return '--max-cost-usd';
  return null;
}
