import type { TrustedKey } from '../bundle/keys.ts';
import type { Status } from '../schema/parts.ts';

/** One thing that was looked at, and what was found. */
export interface VerifyCheck {
  readonly name: string;
  readonly ok: boolean;
  readonly detail: string;
}

/**
 * `verified`: everything holds and the signer is one we trust. `consistent, signer unknown`: everything holds, but
 * anyone could have made it. `invalid`: something was changed. `unsealed`: the run is not, or never was, finished.
 */
type Verdict = 'verified' | 'consistent, signer unknown' | 'invalid' | 'unsealed';

export interface BundleVerification {
  readonly dir: string;
  readonly run_id: string | null;
  readonly verdict: Verdict;
  /** What the bundle may claim: a pass that is not sealed counts as blocked. Null where no report can be read. */
  readonly status: Status | null;
  readonly checks: readonly VerifyCheck[];
}

export interface VerifyOptions {
  readonly trusted: readonly TrustedKey[];
  /** The one whose seal alone counts; a bundle of anybody else is invalid. */
  readonly signer?: TrustedKey;
  readonly now: Date;
}

/** A check from its faults: none, and `holds` says what was looked at. */
export function verifyCheck(name: string, faults: readonly string[], holds: string): VerifyCheck {
  return { name, ok: faults.length === 0, detail: faults.length === 0 ? holds : faults.join('; ') };
}
