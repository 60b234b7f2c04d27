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

export interface Blocker {
  readonly step: StepName;
  readonly reason: string;
  /** `fail`: it ran and did not prove it. `blocked`: no verdict was possible. `lost`: evidence could not be kept. */
  readonly kind: 'fail' | 'blocked' | 'lost';
  /**
   * A true cause outranks its symptoms, whichever step they showed in; what the provider did outranks what the engine made of it.
   * `regression`: names the tests that the change broke, which says more than that tests failed.
   */
  readonly cause?: 'provider' | 'protocol' | 'regression';
}

export interface Verdict {
  readonly status: Status;
  readonly failureReason: string | null;
  readonly blockers: readonly string[];
  readonly evidenceLost: boolean;
}

export function decideVerdict(found: readonly Blocker[]): Verdict {
  const ordered = found.toSorted((a, b) => rank(a) - rank(b));
  const first = ordered[0];
  const evidenceLost = found.some((blocker) => blocker.kind === 'lost');
  if (first === undefined) return { status: 'pass', failureReason: null, blockers: [], evidenceLost };
  return {
    status: evidenceLost || first.kind !== 'fail' ? 'blocked' : 'fail',
    failureReason: first.reason,
    blockers: [...new Set(ordered.map((blocker) => blocker.reason))],
    evidenceLost,
  };
}

function rank(blocker: Blocker): number {
  if (blocker.kind === 'lost') return -3;
  if (blocker.cause === 'provider') return -2;
  if (blocker.cause === 'protocol') return -1;
  if (blocker.cause === 'regression') return STEPS.indexOf('judge') - 0.5;
  return STEPS.indexOf(blocker.step);
}

export interface EngineExit {
  readonly completion: Completion;
  readonly exitCode: number | null;
}

/** What the engine's own end says against a pass. A deadline is never a pass, whatever the patch. */
export function lifecycleBlockers(engine: string, end: EngineExit, patchIsValid: boolean): Blocker[] {
  const failed = (exitCode: number | null): Blocker => ({
    step: 'engine',
    reason: `${engine} engine failed with exit code ${exitCode}`,
    kind: 'fail',
  });
  if (end.completion === 'timed_out') {
    const late: Blocker = { step: 'engine', reason: `${engine} lifecycle timeout after valid patch`, kind: 'fail' };
    return patchIsValid ? [late, failed(124)] : [failed(124)];
  }
  return end.completion === 'exited' && end.exitCode !== 0 ? [failed(end.exitCode)] : [];
}
