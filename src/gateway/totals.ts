import type { GatewayReport, Prices, Totals } from './types.ts';

const TOKENS_PER_PRICE = 1_000_000;

export function noTotals(prices: Prices | null): Totals {
  return { requests: 0, refused: 0, input_tokens: 0, output_tokens: 0, cost_usd: prices === null ? null : 0 };
}

/** Includes the harness's own probe, which costs money too. */
export function addReport(totals: Totals, report: GatewayReport, prices: Prices | null): Totals {
  if (report.kind === 'refused') return { ...totals, refused: totals.refused + 1 };
  const { input_tokens, output_tokens } = report.exchange.usage ?? { input_tokens: 0, output_tokens: 0 };
  return {
    requests: totals.requests + 1,
    refused: totals.refused,
    input_tokens: totals.input_tokens + input_tokens,
    output_tokens: totals.output_tokens + output_tokens,
    cost_usd: prices === null ? null : (totals.cost_usd ?? 0) + costOf(prices, input_tokens, output_tokens),
  };
}

export function costOf({ input_per_mtok, output_per_mtok }: Prices, input: number, output: number): number {
  return (input * input_per_mtok + output * output_per_mtok) / TOKENS_PER_PRICE;
}
