import { canonicalJson } from '../../../kernel/canonical.ts';
import { compareTests, regressionsIn, statedRegressions } from '../../report/before-after.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { Report } from '../../schema/report.ts';
import { lastOf } from '../last-event.ts';

/** Recomputes the before/after comparison and its failure reasons from the events. */
export function beforeAfterFaults(report: Report, events: readonly RunEvent[], withoutOracle: boolean): string[] {
  const before = lastOf(events, 'baseline.completed');
  if (before === null && withoutOracle && report.status === 'pass')
    return ['a pass with neither an oracle nor test results from before the change'];
  const stated = report.baseline?.comparison.tests ?? null;
  if (before?.data.tests === undefined)
    return stated?.no_longer_reported === undefined
      ? []
      : ['test results from before the change, which no event records'];
  const compared = compareTests(before.data.tests, lastOf(events, 'verification.completed')?.data.tests ?? []);
  const reasons = regressionsIn(compared).map(({ reason }) => reason.text);
  // A blocked run comes to no verdict on its tests: it may ask about them instead.
  const unreported = report.status === 'blocked' ? [] : reasons.filter((reason) => !report.blockers.includes(reason));
  const unfounded = statedRegressions(report).filter((text) => !reasons.includes(text));
  return [
    ...unreported.map((reason) => `the events show ${reason}, which is missing from the blockers`),
    ...unfounded.map((reason) => `the events do not show ${reason}`),
    ...(stated === null || canonicalJson(stated) === canonicalJson(compared)
      ? []
      : ['the before/after test comparison differs from the events']),
  ];
}
