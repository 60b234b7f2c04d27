import { reason } from '../evidence/reasons/catalogue.ts';
import type { Reason, ReasonCause, ReasonStatus } from '../evidence/reasons/reason.ts';
import type { Completion, Status } from '../evidence/schema/parts.ts';

/** The steps of a run, in order: the first blocker in this order is the reason of the verdict. */
export const STEPS = [
  'contract',
  'eligibility',
  'checks',
  'provision',
  'workspace',
  'engine',
  'freeze',
  'diff',
  'review',
  'approvals',
  'judge',
  'control',
  'seal',
] as const;
export type StepName = (typeof STEPS)[number];

/** A reason that was given in a step. Its status may be stricter than the catalogue's. */
export interface Blocker {
  readonly step: StepName;
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
  if (kind === 'lost') return -3;
  switch (cause) {
    case 'provider':
      return -2;
    case 'protocol':
      return -1;
    case 'regression':
      return isJudgeExplained(found) ? STEPS.indexOf(step) : STEPS.indexOf('judge') - 0.5;
    case undefined:
      return STEPS.indexOf(step);
    default:
      return cause satisfies never;
  }
}

/**
 * The tests that a change broke say more than that tests failed. Any other reason of the judge comes first: tests that timed out
 * are also missing, but that is the symptom.
 */
function isJudgeExplained(found: readonly Blocker[]): boolean {
  return found.some(({ step, code, cause }) => step === 'judge' && code !== 'tests_failed' && cause !== 'regression');
}

export interface EngineExit {
  readonly completion: Completion;
  readonly exitCode: number | null;
}

/** What the engine's own end says against a pass. A deadline is never a pass, whatever the patch. */
export function lifecycleReasons(engine: string, end: EngineExit, patchIsValid: boolean): Reason<'fail'>[] {
  if (end.completion === 'timed_out') {
    const late = reason('engine_timed_out', { engine });
    return patchIsValid ? [reason('timeout_after_patch', { engine }), late] : [late];
  }
  if (end.completion !== 'exited' || end.exitCode === 0) return [];
  switch (end.exitCode) {
    case null:
      return [reason('engine_ended', { engine })];
    case TIMEOUT_EXIT:
      return [reason('engine_timed_out', { engine })];
    default:
      return [reason('engine_failed', { engine, exit: end.exitCode })];
  }
}

/** `timeout(1)` exits with it, and so do wrappers of engines. */
const TIMEOUT_EXIT = 124;
