import type { ReasonCause, ReasonStatus } from '../reasons/reason.ts';
import type { RunEvent } from '../schema/events.ts';
import type { Status } from '../schema/parts.ts';

/** The steps of a run, in order: the first blocker in this order is the reason of the verdict. */
export const STEPS = [
  'contract',
  'eligibility',
  'checks',
  'provision',
  'control',
  'workspace',
  'engine',
  'freeze',
  'diff',
  'review',
  'approvals',
  'judge',
  'seal',
] as const;
export type StepName = (typeof STEPS)[number];

/** A reason that was given in a step. Its status may be stricter than the catalogue's. */
export interface Blocker {
  readonly step: string;
  readonly code: string;
  readonly text: string;
  readonly kind: ReasonStatus;
  readonly cause?: ReasonCause;
}

export interface Verdict {
  readonly status: Status;
  readonly failureReason: string | null;
  /** The deciding one first, none twice. */
  readonly blockers: readonly Blocker[];
}

export function blockersIn(events: readonly RunEvent[]): Blocker[] {
  return events.flatMap((event) => {
    if (event.type !== 'blocker.raised') return [];
    const { reason: text, cause, ...given } = event.data;
    return [{ ...given, text, ...(cause === undefined ? {} : { cause }) }];
  });
}

export function decideVerdict(found: readonly Blocker[]): Verdict {
  const ordered = found.toSorted((a, b) => rank(a, found) - rank(b, found));
  const [first] = ordered;
  if (first === undefined) return { status: 'pass', failureReason: null, blockers: [] };
  const isLost = found.some(({ kind }) => kind === 'lost');
  return {
    status: isLost || first.kind !== 'fail' ? 'blocked' : 'fail',
    failureReason: first.text,
    blockers: ordered.filter(({ text }, index) => ordered.findIndex((one) => one.text === text) === index),
  };
}

function rank({ step, kind, cause }: Blocker, found: readonly Blocker[]): number {
  if (cause === 'interruption') return -4;
  if (kind === 'lost') return -3;
  switch (cause) {
    case 'provider':
      return -2;
    case 'protocol':
      return -1;
    case 'regression':
      // Seen by the control, it is still about what the judge saw.
      return placeOf('judge') + (isJudgeExplained(found) ? Number(step !== 'judge') / 2 : -1 / 2);
    case undefined:
      return placeOf(step);
    default:
      return cause satisfies never;
  }
}

/** An unknown step, of a later version, decides last. */
function placeOf(step: string): number {
  const index = STEPS.findIndex((name) => name === step);
  return index === -1 ? STEPS.length : index;
}

/**
 * The tests that a change broke say more than that tests failed. Any other reason of the judge comes first: tests that timed out
 * are also missing, but that is the symptom.
 */
function isJudgeExplained(found: readonly Blocker[]): boolean {
  return found.some(({ step, code, cause }) => step === 'judge' && code !== 'tests_failed' && cause !== 'regression');
}
