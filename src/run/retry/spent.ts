import { engineMs } from '../../evidence/log/engine-time.ts';
import type { RunEvent } from '../../evidence/schema/events.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { Budgets } from '../../gateway/types.ts';

/** What attempts have used. Null: not known, because an answer did not say. */
export interface Spent {
  readonly seconds: number;
  readonly requests: number | null;
  readonly tokens: number | null;
  readonly costUsd: number | null;
}

export const NOTHING_SPENT: Spent = { seconds: 0, requests: 0, tokens: 0, costUsd: 0 };

export function addSpent(a: Spent, b: Spent): Spent {
  const sum = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? null : one + other;
  return {
    seconds: a.seconds + b.seconds,
    requests: sum(a.requests, b.requests),
    tokens: sum(a.tokens, b.tokens),
    costUsd: sum(a.costUsd, b.costUsd),
  };
}

/** An attempt that asked no model has used nothing of its budget. */
export function spentIn({ usage }: Pick<Report, 'usage'>, events: readonly RunEvent[]): Spent {
  const { requests, input_tokens: input, output_tokens: output, cost_usd: costUsd } = usage;
  const asked = requests !== null && requests > 0;
  return {
    seconds: (engineMs(events) ?? 0) / 1000,
    requests: requests ?? 0,
    tokens: asked ? (input === null || output === null ? null : input + output) : 0,
    costUsd: asked ? costUsd : 0,
  };
}

/** What the attempts so far leave of each limit. */
export function remainingBudgets({ max_requests, max_tokens, max_cost_usd }: Budgets, spent: Spent): Budgets {
  const left = (max: number | undefined, used: number | null): number | undefined =>
    max === undefined ? undefined : Math.max(0, max - (used ?? max));
  return {
    max_requests: left(max_requests, spent.requests),
    max_tokens: left(max_tokens, spent.tokens),
    max_cost_usd: left(max_cost_usd, spent.costUsd),
  };
}
