import { explainCode } from '../../evidence/reasons/explain.ts';
import type { ReasonCatalogue } from '../../evidence/reasons/reason.ts';
import { failingTests } from '../../evidence/report/render/failing-tests.ts';
import { boundedLines, cutText } from '../../evidence/report/render/text/bounds.ts';
import { safeText } from '../../evidence/report/render/text/safe-text.ts';
import { lastLines } from '../../evidence/report/test-output.ts';
import { type Blocker, STEPS } from '../../evidence/report/verdict.ts';
import type { Report } from '../../evidence/schema/report.ts';
import type { FurtherAttempt } from '../../task/contract.ts';

export interface FeedbackFacts {
  readonly report: Report;
  readonly blockers: readonly Blocker[];
  /** The end of what the tests printed. */
  readonly testOutputEnd: string;
  readonly startsFrom: FurtherAttempt['starts_from'];
  /**
   * Null: the engine can read the tests. Otherwise the ids that were known before the engine started. The judged code can read sealed
   * tests and print them, also as names of tests of its own, so nothing that it could have written is handed back.
   */
  readonly sealedIds: ReadonlySet<string> | null;
}

const MAX_TESTS = 50;
const MAX_LINES = 40;
const MAX_LENGTH = 300;

/** What the engine is told of an attempt that did not pass. */
export function feedbackFor(facts: FeedbackFacts, reasons: ReasonCatalogue): string {
  const { startsFrom, sealedIds } = facts;
  const tests = sealedIds === null ? visibleTests(facts.report) : sealedTests(facts.report, sealedIds);
  const output = sealedIds === null ? outputLines(facts.testOutputEnd) : [];
  const review = sealedIds === null ? (facts.report.review?.comment ?? '') : '';
  return [
    'A previous attempt at this task did not pass:',
    ...reasonLines(facts, reasons),
    '',
    startsFrom === 'previous_work'
      ? 'The changes of that attempt are in the working tree, not committed. Correct them, or undo what is wrong.'
      : 'The working tree is as it was before that attempt.',
    ...(tests.length === 0 ? [] : ['', 'Tests that did not pass:', ...bounded(tests)]),
    ...(output.length === 0 ? [] : ['', 'The last lines that the tests printed:', '', ...output]),
    ...(review === '' ? [] : ['', 'The reviewer wrote:', '', ...outputLines(review)]),
    '',
  ].join('\n');
}

function reasonLines({ blockers, sealedIds }: FeedbackFacts, reasons: ReasonCatalogue): string[] {
  const texts = blockers.map(({ step, code, text }) =>
    sealedIds === null || isBeforeJudging(step) ? text : explainCode(code, reasons).meaning,
  );
  return bounded([...new Set(texts)]);
}

const isBeforeJudging = (step: string): boolean => {
  const place = STEPS.findIndex((name) => name === step);
  return place !== -1 && place < STEPS.indexOf('review');
};

function visibleTests(report: Report): string[] {
  return failingTests(report).map(({ what, id }) => `${what}: ${id}`);
}

/** Without parameters of a test, which are values of its source. */
function sealedTests(report: Report, known: ReadonlySet<string>): string[] {
  const failing = failingTests(report).filter(({ id }) => known.has(id));
  const counts = new Map<string, number>();
  for (const { what, id } of failing) {
    const line = `${what}: ${id.replace(/\[.*$/s, '')}`;
    counts.set(line, (counts.get(line) ?? 0) + 1);
  }
  return Array.from(counts, ([line, count]) => (count === 1 ? line : `${line} (${count} cases)`));
}

function bounded(lines: readonly string[]): string[] {
  const left = lines.length - MAX_TESTS;
  const shown = lines.slice(0, MAX_TESTS).map((line) => `- ${cutText(safeText(line), MAX_LENGTH)}`);
  return left > 0 ? [...shown, `- and ${left} more`] : shown;
}

function outputLines(text: string): string[] {
  const last = lastLines(safeText(text), MAX_LINES).join('\n');
  if (last === '') return [];
  return boundedLines(last, MAX_LINES, MAX_LENGTH)
    .text.split('\n')
    .map((line) => `    ${line}`.trimEnd());
}
