import { ADMISSION } from './admission.ts';
import type { Explanation } from './explanation.ts';
import { HARNESS } from './harness.ts';
import { JUDGE } from './judge.ts';
import { MODEL } from './model.ts';
import { WORK } from './work.ts';

/** The first that fits counts. */
const EXPLANATIONS: readonly Explanation[] = [...ADMISSION, ...MODEL, ...WORK, ...JUDGE, ...HARNESS];

const UNKNOWN = 'Recorded by the harness; the timeline shows at which step.';

export function explainReason(reason: string): string {
  return EXPLANATIONS.find((entry) => entry.when.test(reason))?.means ?? UNKNOWN;
}
