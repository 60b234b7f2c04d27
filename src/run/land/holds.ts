import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { regressionsIn } from '../../evidence/report/before-after.ts';
import type { Report } from '../../evidence/schema/report.ts';

/** What the judgement of a merged tree showed. */
export interface GateFacts {
  readonly branch: string;
  readonly report: Pick<Report, 'status' | 'failure_reason' | 'tests' | 'baseline' | 'deciding' | 'approvals'>;
  /** Tests that came out either way on one tree. */
  readonly flaky: readonly string[];
  /** Tests that failed on the tip. */
  readonly failingBefore: ReadonlySet<string>;
  readonly knownFailing: readonly string[];
  /** Files without a vote that the tip has and the change alters. */
  readonly unvoted: readonly string[];
  /** A person lands by exit code. */
  readonly acceptExitCode: boolean;
}

/** Pure: why a merged tree must not land; empty: it may. */
export function holdsOf(facts: GateFacts): readonly Reason[] {
  const { branch, report, acceptExitCode } = facts;
  const denied = report.approvals.find(({ decision }) => decision === 'denied');
  if (report.status === 'blocked' && denied !== undefined)
    return [reason('landing_not_approved', { branch, how: denied.how })];
  if (report.status !== 'pass') {
    const why = `${report.failure_reason ?? report.status}${brokenTests(report)}`;
    return [reason(report.status === 'fail' ? 'landing_failed' : 'landing_blocked', { branch, why })];
  }
  const excused = new Set(facts.knownFailing);
  const flaky = facts.flaky.filter((id) => !excused.has(id));
  const failing = (report.tests.shown?.failing ?? []).filter(
    (id) => !excused.has(id) && !facts.failingBefore.has(id) && !flaky.includes(id),
  );
  return [
    ...(report.tests.seen.length === 0 && !acceptExitCode
      ? [reason('landing_no_tests', { why: 'the test command reports no tests' })]
      : []),
    ...(flaky.length > 0 ? [reason('landing_flaky', { tests: listedTests(flaky) })] : []),
    ...(failing.length > 0 ? [reason('landing_added_tests_fail', { tests: listedTests(failing) })] : []),
    ...(facts.unvoted.length > 0 ? [reason('landing_no_vote', { files: listedTests(facts.unvoted) })] : []),
  ];
}

/** Ids of the tests that the merged tree breaks. */
export function brokenIn({ baseline, tests }: Pick<Report, 'baseline' | 'tests'>): readonly string[] {
  const regressions = regressionsIn(baseline?.comparison.tests ?? null).flatMap(({ ids }) => ids);
  if (regressions.length > 0) return regressions;
  return tests.seen.filter(({ outcome }) => outcome === 'failed' || outcome === 'error').map(({ id }) => id);
}

function brokenTests(report: GateFacts['report']): string {
  const broken = brokenIn(report);
  return broken.length === 0 ? '' : ` (${listedTests(broken)})`;
}

const MAX_LISTED = 5;

function listedTests(ids: readonly string[]): string {
  const shown = ids.slice(0, MAX_LISTED).join(', ');
  return ids.length > MAX_LISTED ? `${shown} and ${ids.length - MAX_LISTED} more` : shown;
}
