import type { Phase } from '../config/project.ts';
import { type ClaimRecord, type PhaseHistory, turnedDown } from '../journal/phase-history.ts';
import type { ReviewVerdict } from './claims.ts';

/** What one look at the open phase found. */
export interface PhaseFacts {
  readonly phase: Phase;
  readonly history: PhaseHistory;
  readonly hasAdversary: boolean;
  /** No conversation of the adversary goes on that began before the claim. */
  readonly adversaryStopped: boolean;
  /** The claim in STATUS that is not the one that counts already, and what git says about it. */
  readonly claim: { readonly commit: string; readonly fault: string | null } | null;
  readonly verdict: ReviewVerdict | null;
  /** The review's text, to be handed to the builder with a FAIL. */
  readonly review: string;
  readonly proofRunning: boolean;
  readonly maxRounds: number;
}

export type PhaseAction =
  | { readonly do: 'begin' }
  | { readonly do: 'refuse-claim'; readonly claim: string; readonly why: string }
  | { readonly do: 'accept-claim'; readonly commit: string }
  | { readonly do: 'hand-over'; readonly commit: string }
  | { readonly do: 'record-verdict'; readonly verdict: ReviewVerdict; readonly text: string }
  | { readonly do: 'run-proof'; readonly commit: string; readonly attempt: number }
  | {
      readonly do: 'land';
      readonly commit: string;
      readonly attempt: number;
      readonly branch: string;
      readonly bundle: string;
    }
  | { readonly do: 'ask-person'; readonly what: string }
  | {
      readonly do: 'advance';
      readonly commit: string;
      readonly outcome: 'proven' | 'agreed';
      readonly bundle: string | null;
      /** The commit on the branch, where a landing was asked for. */
      readonly landed: string | null;
    };

const PROOF_ATTEMPTS = 4;
const PROOF_PAUSE_MS = 5000;

/** Pure. Null: there is nothing to do but wait. One action at a time; the next look sees what it changed. */
export function decidePhase(facts: PhaseFacts, now: Date): PhaseAction | null {
  const { history, claim, verdict, hasAdversary } = facts;
  if (history.began === null) return { do: 'begin' };
  if (history.ended !== null || history.needs !== null || facts.proofRunning) return null;
  if (claim !== null) return onNewClaim(facts, claim);
  const counted = history.claim;
  if (counted === null) return null;
  if (hasAdversary && counted.reviewFrom === null)
    return facts.adversaryStopped ? { do: 'hand-over', commit: counted.commit } : null;
  if (hasAdversary && counted.verdict === null && verdict?.commit === counted.commit)
    return { do: 'record-verdict', verdict, text: facts.review };
  if (turnedDown(counted))
    return history.rounds >= facts.maxRounds ? { do: 'ask-person', what: `${facts.maxRounds} rounds` } : null;
  if (hasAdversary && counted.verdict === null) return null;
  return onAgreed(facts, counted, now);
}

function onNewClaim({ history }: PhaseFacts, claim: NonNullable<PhaseFacts['claim']>): PhaseAction | null {
  if (claim.fault === null) return { do: 'accept-claim', commit: claim.commit };
  return history.refused === claim.commit ? null : { do: 'refuse-claim', claim: claim.commit, why: claim.fault };
}

/** The adversary agrees, or there is none: what remains is the proof. */
function onAgreed({ phase }: PhaseFacts, claim: ClaimRecord, now: Date): PhaseAction | null {
  const { commit, proof, proofAt, attempts } = claim;
  if (phase.proof === null) return { do: 'advance', commit, outcome: 'agreed', bundle: null, landed: null };
  if (proof?.verdict === 'pass') return onProven(phase.proof.land ?? null, claim, proof.bundle, now);
  if (proof?.verdict !== 'blocked' || proofAt === null) return { do: 'run-proof', commit, attempt: attempts + 1 };
  return retry(attempts, proofAt, now, 'proof blocked', { do: 'run-proof', commit, attempt: attempts + 1 });
}

/** What is proven ends the phase, where a landing is asked for once it is on the branch. */
function onProven(branch: string | null, claim: ClaimRecord, bundle: string | null, now: Date): PhaseAction | null {
  const { commit, landing, landingAt, landings } = claim;
  if (branch === null || bundle === null) return { do: 'advance', commit, outcome: 'proven', bundle, landed: null };
  if (landing?.verdict === 'landed')
    return { do: 'advance', commit, outcome: 'proven', bundle, landed: landing.landed };
  const land: PhaseAction = { do: 'land', commit, attempt: landings + 1, branch, bundle };
  if (landing === null || landingAt === null) return land;
  return retry(landings, landingAt, now, `landing on ${branch}`, land);
}

/** Later and later; then a person is asked. */
function retry(tried: number, lastAt: Date, now: Date, what: string, again: PhaseAction): PhaseAction | null {
  if (tried >= PROOF_ATTEMPTS) return { do: 'ask-person', what };
  return now.getTime() - lastAt.getTime() >= PROOF_PAUSE_MS * 2 ** (tried - 1) ? again : null;
}
