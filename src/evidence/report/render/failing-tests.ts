import type { Report } from '../../schema/report.ts';
import { splitStillFailing } from '../before-after.ts';
import { testRows } from './test-rows.ts';

export interface FailingTest {
  readonly what: string;
  readonly id: string;
}

/** The tests that speak against a run, those that it broke first. Empty for a pass. */
export function failingTests({ status, tests, baseline }: Report): readonly FailingTest[] {
  if (status === 'pass') return [];
  const compared = baseline?.comparison.tests ?? null;
  if (compared === null) {
    const silent = tests.seen.length === 0 && tests.exit_code === null;
    return silent
      ? []
      : testRows(tests)
          .filter(({ outcome, expected }) => outcome !== 'passed' && !(outcome === 'skipped' && expected !== 'yes'))
          .map(({ outcome, id }) => ({ what: outcome, id }));
  }
  const named = (what: string, ids: readonly string[]): FailingTest[] => ids.map((id) => ({ what, id }));
  const { stillFailing, noLongerLoads } = splitStillFailing(compared);
  return [
    ...named('no longer loads', noLongerLoads),
    ...named('newly failing', compared.newly_failing),
    ...named('no longer reported', compared.no_longer_reported ?? []),
    ...named('still failing', stillFailing),
  ];
}
