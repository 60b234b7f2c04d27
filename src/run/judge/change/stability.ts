import type { RecordedTest } from '../../../evidence/schema/base-record.ts';

/** A larger share of flaky tests means that the suite cannot decide. A single one never does. */
const MAX_FLAKY_SHARE = 0.05;

export const isUnstable = (flaky: number, tests: number): boolean => flaky > 1 && flaky > tests * MAX_FLAKY_SHARE;

export type RepeatOutcome = RecordedTest['outcome'] | 'absent';

/** How a doubtful test came out each time it was run alone. */
export interface Repeats {
  /** Its outcome in the record of the base. */
  readonly recorded: RecordedTest['outcome'];
  readonly patched: readonly RepeatOutcome[];
  readonly base: readonly RepeatOutcome[];
}

/**
 * Whether a test that failed or vanished after the patch is flaky: it comes out either way without the patch, or its failure
 * with the patch could not be repeated at all, neither alone nor among the others. A test that the patch made to fail now and then, and that never failed
 * without it, is not excused: an engine could buy its way out with a dice roll. Nor is a test that always failed: a patch
 * that has it skipped would silence it.
 */
export function isFlaky({ recorded, patched, base }: Repeats): boolean {
  if (fails(recorded)) return base.includes('passed');
  if (base.some(fails)) return true;
  return passesAlone({ recorded, patched, base });
}

/**
 * Whether the failure was not seen again when the test ran alone. That excuses it only if it is not seen among the others either: a
 * patch that keeps something from one call to the next fails only there.
 */
export function passesAlone({ recorded, patched, base }: Repeats): boolean {
  return (
    !fails(recorded) && !base.some(fails) && patched.length > 0 && patched.every((outcome) => outcome === 'passed')
  );
}

/** Whether a test passes among the others of the base, and never alone. */
export function needsOthers({ recorded, base }: Repeats): boolean {
  return recorded === 'passed' && base.length > 0 && base.every(fails);
}

/** Whether the base itself may not report the test again, as where its name holds the time or a random number. */
export function mayBeRenamed({ recorded, base }: Repeats): boolean {
  return recorded === 'passed' && base.length > 0 && base.every((outcome) => outcome === 'absent');
}

const fails = (outcome: RepeatOutcome): boolean => outcome === 'failed' || outcome === 'error';
