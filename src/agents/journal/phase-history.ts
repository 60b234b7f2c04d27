import type { FactOf, JournalEntry } from './schema.ts';

/** What happened to one claim of the builder. */
export interface ClaimRecord {
  readonly commit: string;
  readonly at: Date;
  /** Where the review began to count: when the adversary was given the commit. Null: it was not yet. */
  readonly reviewFrom: number | null;
  readonly handedAt: Date | null;
  /** The first verdict on it; later ones do not count. */
  readonly verdict: FactOf<'verdict.seen'> | null;
  /** How often a proof was begun, and how the last one ended. */
  readonly attempts: number;
  readonly proof: FactOf<'proof.ended'> | null;
  readonly proofAt: Date | null;
  /** The same of its landing. */
  readonly landings: number;
  readonly landing: FactOf<'landing.ended'> | null;
  readonly landingAt: Date | null;
}

/** What the facts say about one phase. */
export interface PhaseHistory {
  readonly phase: string;
  readonly began: FactOf<'phase.began'> | null;
  readonly beganAt: Date | null;
  /** The last claim. */
  readonly claim: ClaimRecord | null;
  readonly claims: number;
  /** The last claim that was refused, so that it is answered once. */
  readonly refused: string | null;
  /** Claims that a verdict or a proof turned down. */
  readonly rounds: number;
  readonly needs: string | null;
  readonly ended: FactOf<'phase.ended'> | null;
  /** Every text that its inboxes received, by role. */
  readonly inbox: ReadonlyMap<string, readonly string[]>;
}

export function newPhaseHistory(phase: string): PhaseHistory {
  return {
    phase,
    began: null,
    beganAt: null,
    claim: null,
    claims: 0,
    refused: null,
    rounds: 0,
    needs: null,
    ended: null,
    inbox: new Map(),
  };
}

export function foldPhaseFact(history: PhaseHistory, entry: JournalEntry): PhaseHistory {
  const at = new Date(entry.time);
  switch (entry.type) {
    case 'phase.began':
      return { ...newPhaseHistory(history.phase), began: entry, beganAt: at };
    case 'claim.seen':
      return {
        ...history,
        claims: history.claims + 1,
        refused: null,
        claim: {
          commit: entry.commit,
          at,
          reviewFrom: null,
          handedAt: null,
          verdict: null,
          attempts: 0,
          proof: null,
          proofAt: null,
          landings: 0,
          landing: null,
          landingAt: null,
        },
      };
    case 'claim.handed':
      return onClaim(history, entry.commit, (claim) => ({ ...claim, reviewFrom: entry.review_length, handedAt: at }));
    case 'claim.refused':
      return { ...history, refused: entry.claim };
    case 'verdict.seen':
      return onClaim(history, entry.commit, (claim) => (claim.verdict === null ? { ...claim, verdict: entry } : claim));
    case 'proof.started':
      return onClaim(history, entry.commit, (claim) => ({ ...claim, attempts: entry.attempt }));
    case 'proof.ended':
      return onClaim(history, entry.commit, (claim) => ({ ...claim, proof: entry, proofAt: at }));
    case 'landing.started':
      return onClaim(history, entry.commit, (claim) => ({ ...claim, landings: entry.attempt }));
    case 'landing.ended':
      return onClaim(history, entry.commit, (claim) => ({ ...claim, landing: entry, landingAt: at }));
    case 'phase.needs':
      return { ...history, needs: entry.what };
    case 'phase.ended':
      return { ...history, ended: entry, needs: null };
    case 'inbox.received':
      return {
        ...history,
        inbox: new Map([...history.inbox, [entry.role, [...(history.inbox.get(entry.role) ?? []), entry.text]]]),
      };
    default:
      return history;
  }
}

/** A round ends at most once a claim: with the first FAIL, of the adversary, the proof or the landing. */
function onClaim(history: PhaseHistory, commit: string, change: (claim: ClaimRecord) => ClaimRecord): PhaseHistory {
  if (history.claim === null || history.claim.commit !== commit) return history;
  const claim = change(history.claim);
  const ended = turnedDown(claim) && !turnedDown(history.claim);
  return { ...history, claim, rounds: history.rounds + (ended ? 1 : 0) };
}

export const turnedDown = ({ verdict, proof, landing }: ClaimRecord): boolean =>
  verdict?.verdict === 'FAIL' || proof?.verdict === 'fail' || landing?.verdict === 'fail';
