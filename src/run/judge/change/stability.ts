import type { RecordedTest } from '../../../evidence/schema/base-record.ts';

/** A larger share of flaky tests means that the suite cannot decide. A single one never does. */
const MAX_FLAKY_SHARE = 0.05;

export const isUnstable = (flaky: number, tests: number): boolean => flaky > 1 && flaky > tests * MAX_FLAKY_SHARE;

export type RepeatOutcome = RecordedTest['outcome'] | 'absent';

/** How a doubtful test came out each time it was run alone. */
export interface Repeats {
  readonly patched: readonly RepeatOutcome[];
  readonly base: readonly RepeatOutcome[];
}

/**
 * Whether a test that failed or vanished after the patch is flaky: it also fails without the patch at times, or its failure
 * with the patch could not be repeated at all. A test that the patch made to fail now and then, and that never failed
 * without it, is not excused: an engine could buy its way out with a dice roll.
 */
export function isFlaky({ patched, base }: Repeats): boolean {
  if (base.some((outcome) => outcome === 'failed' || outcome === 'error')) return true;
  return patched.length > 0 && patched.every((outcome) => outcome === 'passed');
}
