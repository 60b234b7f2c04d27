import { reason } from '../reasons/catalogue.ts';
import { codesOf } from '../reasons/explain.ts';
import type { Reason } from '../reasons/reason.ts';
import type { BeforeAfter, Report, TestRecord } from '../schema/report.ts';

type Outcome = TestRecord['outcome'];

/**
 * Classifies tests by the effect of the change. A test that ran before and is now skipped or missing counts as no
 * longer reported, whether it passed or failed before.
 */
export function compareTests(before: readonly TestRecord[], after: readonly TestRecord[]): Required<BeforeAfter> {
  const was = new Map(before.map(({ id, outcome }) => [id, outcome]));
  const is = new Map(after.map(({ id, outcome }) => [id, outcome]));
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  const passedBefore = (id: string): boolean => was.get(id) === 'passed';
  const passesNow = (id: string): boolean => is.get(id) === 'passed';
  const failsNow = (id: string): boolean => !passesNow(id) && hasRun(is.get(id));
  const isLost = (id: string): boolean =>
    hasRun(was.get(id)) && !hasRun(is.get(id)) && (passedBefore(id) || is.has(id) || !loadsNow(id, after));
  return {
    fixed: ids.filter((id) => !passedBefore(id) && passesNow(id)),
    still_passing: ids.filter((id) => passedBefore(id) && passesNow(id)),
    newly_failing: ids.filter((id) => passedBefore(id) && failsNow(id)),
    no_longer_reported: ids.filter(isLost),
    still_failing: ids.filter((id) => !passedBefore(id) && failsNow(id)),
  };
}

function hasRun(outcome: Outcome | undefined): boolean {
  return outcome !== undefined && outcome !== 'skipped';
}

/**
 * Runners report a file, package, class or suite that does not load as one failed test. Once it loads, its own tests
 * replace that one; at least one of them has to run.
 */
function loadsNow(id: string, after: readonly TestRecord[]): boolean {
  const whole = /^(?:setUp|tearDown)(?:Class|Module) \((.+)\)$/.exec(id)?.[1] ?? id;
  return after.some(
    (test) => hasRun(test.outcome) && SEPARATORS.some((separator) => test.id.startsWith(`${whole}${separator}`)),
  );
}

const SEPARATORS = ['::', ' > ', '.', '/'];

/** Failing tests that did not pass before, and files, packages or suites among them whose own tests are no longer reported. */
export function splitStillFailing({ still_failing, no_longer_reported = [] }: BeforeAfter): {
  readonly stillFailing: readonly string[];
  readonly noLongerLoads: readonly string[];
} {
  const holdsLost = (id: string): boolean =>
    no_longer_reported.some((lost) => SEPARATORS.some((separator) => lost.startsWith(`${id}${separator}`)));
  return {
    stillFailing: still_failing.filter((id) => !holdsLost(id)),
    noLongerLoads: still_failing.filter(holdsLost),
  };
}

/** Whether a test run produced an exit code or at least one result. */
export function testsRan(run: { readonly exitCode: number | null; readonly seen: readonly TestRecord[] }): boolean {
  return run.exitCode !== null || run.seen.length > 0;
}

/** A kind of damage to tests that existed before the change. */
export interface Regression {
  readonly what: 'newly failing' | 'no longer reported';
  readonly reason: Reason<'fail'>;
  /** Not empty. */
  readonly ids: readonly string[];
}

export function regressionsIn(compared: BeforeAfter | null): Regression[] {
  const failing = compared?.newly_failing ?? [];
  const missing = compared?.no_longer_reported ?? [];
  const found: readonly Regression[] = [
    { what: 'newly failing', ids: failing, reason: reason('tests_newly_failing', { n: failing.length }) },
    { what: 'no longer reported', ids: missing, reason: reason('tests_missing', { n: missing.length }) },
  ];
  return found.filter(({ ids }) => ids.length > 0);
}

export const isRegression = (code: string): boolean => code === 'tests_newly_failing' || code === 'tests_missing';

/** The blockers of a report that name regressions. */
export function statedRegressions(report: Report): string[] {
  const codes = codesOf(report);
  return report.blockers.filter((_text, index) => isRegression(codes[index] ?? ''));
}
