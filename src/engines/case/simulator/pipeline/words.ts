/** Case's names for the phases of its pipeline, in order. */
export const PHASES = ['implement', 'verify', 'review', 'close', 'retrospective'] as const;
export type Phase = (typeof PHASES)[number];

export const AGENT_OF = {
  implement: 'implementer',
  verify: 'verifier',
  review: 'reviewer',
  close: 'closer',
  retrospective: 'retrospective',
} as const satisfies Record<Phase, string>;
export type Agent = (typeof AGENT_OF)[Phase];

export type Profile = 'standard' | 'tiny';

/** `tiny` skips the verifier. */
export const phasesOf = (profile: Profile): readonly Phase[] =>
  profile === 'tiny' ? PHASES.filter((phase) => phase !== 'verify') : PHASES;

/** How often an evaluator may send the work back. */
export const REVISIONS = 2;

export type Fields = Readonly<Record<string, unknown>>;
