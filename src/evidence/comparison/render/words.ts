import { durationText, groupDigits } from '../../report/render/text/words.ts';
import type { CellSummary, Interval95, Outcome, ReasonClass, Spending } from '../schema.ts';

/** What stands in a table where there is nothing to tell. */
export const NOTHING_TO_TELL = '–';

export const OUTCOME_WORD: Readonly<Record<Outcome, string>> = { pass: 'pass', fail: 'fail', not_judged: 'not judged' };

export const CLASS_WORD: Readonly<Record<ReasonClass, string>> = {
  work: "the engine's work",
  provider: 'provider',
  limit: 'limit of the provider',
  setup: 'set-up',
  infrastructure: 'infrastructure',
};

export const percent = (rate: number | null): string =>
  rate === null ? NOTHING_TO_TELL : `${Math.round(rate * 100)} %`;

/** `57–100 %`; nothing where nothing was judged. */
export const intervalText = ({
  interval,
  pass_rate: rate,
}: {
  readonly interval: Interval95;
  readonly pass_rate: number | null;
}): string =>
  rate === null ? NOTHING_TO_TELL : `${Math.round(interval.low * 100)}–${Math.round(interval.high * 100)} %`;

export const timeText = (ms: number | null): string => (ms === null ? NOTHING_TO_TELL : durationText(ms));

export const judgedOf = ({ passed, failed }: Pick<CellSummary, 'passed' | 'failed'>): number => passed + failed;

type Spender = Pick<CellSummary, 'asks_model' | 'passed' | 'failed'>;

/** Median of a judged run. Unknown is never zero, and an engine without a model has nothing to tell. */
export function spentText(spender: Spender, { known, median }: Spending, write: (value: number) => string): string {
  if (!spender.asks_model || judgedOf(spender) === 0) return NOTHING_TO_TELL;
  if (median === null) return 'unknown';
  return known < judgedOf(spender) ? `${write(median)} (${known} of ${judgedOf(spender)} known)` : write(median);
}

export const tokensText = (value: number): string => groupDigits(Math.round(value));

/** Two digits that count, however small: `$0.0012`, `$1.50`. */
export function costText(usd: number): string {
  if (usd === 0) return '$0';
  const digits = Math.min(8, Math.max(2, 1 - Math.floor(Math.log10(usd))));
  return `$${usd.toFixed(digits)}`;
}
