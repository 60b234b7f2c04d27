import type { RecordedTest } from '../../../evidence/schema/base-record.ts';

/** If a larger share of tests is flaky, the suite cannot decide. A single flaky test never has this effect. */
const MAX_FLAKY_SHARE = 0.05;

export const isUnstable = (flaky: number, tests: number): boolean => flaky > 1 && flaky > tests * MAX_FLAKY_SHARE;

export type RepeatOutcome = RecordedTest['outcome'] | 'absent';

/** The outcomes of a doubtful test each time it ran alone. */
export interface Repeats {
  /** Its outcome in the record of the base. */
  readonly recorded: RecordedTest['outcome'];
  readonly patched: readonly RepeatOutcome[];
  readonly base: readonly RepeatOutcome[];
}

/**
 * Whether a test that failed or disappeared with the patch is flaky: its outcome varies without the patch, or its failure with the
 * patch could not be repeated, neither alone nor among the others. A test that fails now and then only with the patch is not excused:
 * otherwise an engine could pass by chance. Nor is a test that always failed: a patch that skips it would silence it.
 */
export function isFlaky({ recorded, patched, base }: Repeats): boolean {
  if (fails(recorded)) return base.includes('passed');
  if (base.some(fails)) return true;
  return passesAlone({ recorded, patched, base });
}

/**
 * Whether the failure did not repeat when the test ran alone. This excuses it only if it does not repeat among the others either: code
 * that keeps state between calls fails only there.
 */
export function passesAlone({ recorded, patched, base }: Repeats): boolean {
  return (
    !fails(recorded) && !base.some(fails) && patched.length > 0 && patched.every((outcome) => outcome === 'passed')
  );
}

/** Whether a test passes on the base among the others, but never alone. */
export function needsOthers({ recorded, base }: Repeats): boolean {
  return recorded === 'passed' && base.length > 0 && base.every(fails);
}

/** Whether the base itself may not report the test again, for example because its name contains the time or a random number. */
export function mayBeRenamed({ recorded, base }: Repeats): boolean {
  return recorded === 'passed' && base.length > 0 && base.every((outcome) => outcome === 'absent');
}

const fails = (outcome: RepeatOutcome): boolean => outcome === 'failed' || outcome === 'error';
