/** Case's names for the phases of its pipeline, in order. */
export const PHASES = ['implement', 'verify', 'review', 'close', 'retrospective'] as const;
export type CasePhase = (typeof PHASES)[number];

export const AGENT_OF = {
  implement: 'implementer',
  verify: 'verifier',
  review: 'reviewer',
  close: 'closer',
  retrospective: 'retrospective',
} as const satisfies Record<CasePhase, string>;
export type CaseAgent = (typeof AGENT_OF)[CasePhase];

export type Profile = 'standard' | 'tiny';

/** `tiny` skips the verifier. */
export const phasesOf = (profile: Profile): readonly CasePhase[] =>
  profile === 'tiny' ? PHASES.filter((phase) => phase !== 'verify') : PHASES;

/** How often an evaluator may send the work back. */
export const REVISIONS = 2;

export type Fields = Readonly<Record<string, unknown>>;
