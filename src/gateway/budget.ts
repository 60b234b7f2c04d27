import type { Exchange } from '../evidence/schema/exchange.ts';
import type { Budgets, GatewayReport, Prices, Totals } from './types.ts';

/** Lower than in any language, so that the estimate is too high and a budget ends the run early rather than late. */
const BYTES_PER_TOKEN = 3;
const TOKENS_PER_PRICE = 1_000_000;

export function noTotals(prices: Prices | null): Totals {
  return {
    requests: 0,
    refused: 0,
    input_tokens: 0,
    output_tokens: 0,
    requests_without_usage: 0,
    estimated_tokens: 0,
    cost_usd: prices === null ? null : 0,
  };
}

/** Includes the harness's own probe, which costs money too. */
export function addReport(totals: Totals, report: GatewayReport, prices: Prices | null): Totals {
  if (report.kind === 'refused') return { ...totals, refused: totals.refused + 1 };
  const { exchange } = report;
  const lacksUsage = exchange.usage === null && isAnswer(exchange);
  const { input_tokens, output_tokens } = exchange.usage ?? { input_tokens: 0, output_tokens: 0 };
  return {
    requests: totals.requests + 1,
    refused: totals.refused,
    input_tokens: totals.input_tokens + input_tokens,
    output_tokens: totals.output_tokens + output_tokens,
    requests_without_usage: totals.requests_without_usage + (lacksUsage ? 1 : 0),
    estimated_tokens: totals.estimated_tokens + (lacksUsage ? estimate(exchange) : 0),
    cost_usd: prices === null ? null : (totals.cost_usd ?? 0) + costOf(prices, input_tokens, output_tokens),
  };
}

/** The first exhausted budget, or null. `started` includes requests in flight. */
export function spentBudget(
  budgets: Budgets,
  started: number,
  totals: Totals,
  prices: Prices | null,
): keyof Budgets | null {
  const { max_requests = Infinity, max_tokens = Infinity, max_cost_usd = Infinity } = budgets;
  if (started >= max_requests) return 'max_requests';
  const { input_tokens, output_tokens, estimated_tokens } = totals;
  if (input_tokens + output_tokens + estimated_tokens >= max_tokens) return 'max_tokens';
  // Estimated tokens are not split into input and output, so the higher price applies.
  const estimatedCost =
    prices === null ? 0 : Math.max(costOf(prices, estimated_tokens, 0), costOf(prices, 0, estimated_tokens));
  return (totals.cost_usd ?? 0) + estimatedCost >= max_cost_usd ? 'max_cost_usd' : null;
}

function isAnswer({ status, response }: Exchange): boolean {
  return response !== null && status !== null && status < 400;
}

function estimate({ request, response }: Exchange): number {
  const bodies = [request, ...(response === null ? [] : [response.body])];
  const bytes = bodies.reduce(
    (sum, body) => sum + ('text' in body ? Buffer.byteLength(body.text) : Buffer.byteLength(body.base64, 'base64')),
    0,
  );
  return Math.ceil(bytes / BYTES_PER_TOKEN);
}

function costOf({ input_per_mtok, output_per_mtok }: Prices, input: number, output: number): number {
  return (input * input_per_mtok + output * output_per_mtok) / TOKENS_PER_PRICE;
}
