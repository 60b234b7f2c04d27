import type { Report } from '../../evidence/schema/report.ts';
import type { Contract } from '../../task/contract.ts';

/** A run that passed, in a bundle that a trusted key signed. */
export interface ProvenRun {
  readonly dir: string;
  readonly report: Report;
  readonly contract: Contract;
  /** Digest of the bundle's attestation. */
  readonly attestation: string;
  /** The commit that the run started from. */
  readonly base: string;
}
