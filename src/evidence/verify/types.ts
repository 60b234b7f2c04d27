import type { TrustedKey } from '../bundle/keys.ts';
import type { EngineFields } from '../report/reduce.ts';
import type { Status } from '../schema/parts.ts';

/** One check and its result. */
export interface VerifyCheck {
  readonly name: string;
  readonly ok: boolean;
  /** It could not be tried on this machine, so it says nothing about the bundle. Then `ok` is false. */
  readonly not_tried?: true;
  readonly detail: string;
}

/**
 * `verified`: all checks pass and the signer is trusted. `consistent, signer unknown`: all checks pass, but anyone
 * could have made the bundle. `invalid`: a check failed. `unsealed`: the run is unfinished or was interrupted.
 */
type Verdict = 'verified' | 'consistent, signer unknown' | 'invalid' | 'unsealed';

export interface BundleVerification {
  readonly dir: string;
  readonly run_id: string | null;
  readonly verdict: Verdict;
  /** The status the bundle may claim: an unsealed pass counts as blocked. Null if no report can be read. */
  readonly status: Status | null;
  readonly checks: readonly VerifyCheck[];
}

export interface VerifyOptions {
  readonly trusted: readonly TrustedKey[];
  /** If set, only this signer is accepted; a bundle signed by any other key is invalid. */
  readonly signer?: TrustedKey;
  readonly now: Date;
  /** The report fields that only reports of one engine have; absent: these are not compared with the events. */
  readonly engineFields?: (engine: string) => EngineFields | undefined;
}

/** A check fails if it has faults; otherwise `holds` describes what was checked. */
export function verifyCheck(name: string, faults: readonly string[], holds: string): VerifyCheck {
  return { name, ok: faults.length === 0, detail: faults.length === 0 ? holds : faults.join('; ') };
}
