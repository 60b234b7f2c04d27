import type { Reason } from '../../evidence/reasons/reason.ts';

/** One admission decision. A refusal is a result, not an exception: it blocks the run before the engine's process starts. */
export type AdmissionCheck = PassedCheck | RefusedCheck;

interface PassedCheck {
  readonly gate: string;
  readonly passed: true;
  readonly detail: string;
}

export interface RefusedCheck {
  readonly gate: string;
  readonly passed: false;
  readonly reason: Reason<'blocked'>;
  readonly detail: string;
  /** How to resolve the refusal. */
  readonly next: string;
  /** A file below `backend/` with detail and next step; null for none. */
  readonly marker: string | null;
}

export function passedCheck(gate: string, detail: string): PassedCheck {
  return { gate, passed: true, detail };
}

interface Refusal extends Omit<RefusedCheck, 'passed' | 'marker'> {
  /** The reason's own unless given. */
  readonly marker?: string | null;
}

export function refusedCheck(refusal: Refusal): RefusedCheck {
  return { marker: refusal.reason.marker ?? null, ...refusal, passed: false };
}
