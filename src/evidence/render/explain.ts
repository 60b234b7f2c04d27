import { ADMISSION } from './explain/admission.ts';
import type { Explanation } from './explain/explanation.ts';
import { HARNESS } from './explain/harness.ts';
import { JUDGE } from './explain/judge.ts';
import { MODEL } from './explain/model.ts';
import { WORK } from './explain/work.ts';

/** The first that fits counts. */
const EXPLANATIONS: readonly Explanation[] = [...ADMISSION, ...MODEL, ...WORK, ...JUDGE, ...HARNESS];

const UNKNOWN = 'Recorded by the harness; the timeline shows at which step.';

export function explainReason(reason: string): string {
  return EXPLANATIONS.find((entry) => entry.when.test(reason))?.means ?? UNKNOWN;
}
