import type { ComparisonPlan, EngineSummary } from '../schema.ts';
import {
  costText,
  intervalText,
  judgedOf,
  NOTHING_TO_TELL,
  percent,
  spentText,
  timeText,
  tokensText,
} from './words.ts';

/** The columns of the table of engines, for every output. */
export function summaryHead({ repeat }: Pick<ComparisonPlan, 'repeat'>): string[] {
  return ['engine', 'pass rate', '95 % interval', `pass^${repeat}`, 'passed', 'not judged', 'time', 'tokens', 'cost'];
}

/** Time, tokens and cost are medians of the judged runs. */
export function summaryRow(summary: EngineSummary): string[] {
  const { engine, pass_rate: rate, passed, not_judged: notJudged, median_ms: ms, tokens, cost_usd: cost } = summary;
  return [
    engine,
    percent(rate),
    intervalText(summary),
    percent(summary.pass_all.value),
    judgedOf(summary) === 0 ? NOTHING_TO_TELL : `${passed} of ${judgedOf(summary)}`,
    notJudged === 0 ? NOTHING_TO_TELL : String(notJudged),
    timeText(ms),
    spentText(summary, tokens, tokensText),
    spentText(summary, cost, costText),
  ];
}
