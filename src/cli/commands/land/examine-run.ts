import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ATTESTATION_FILE } from '../../../evidence/bundle/manifest.ts';
import type { Report } from '../../../evidence/schema/report.ts';
import { openAndVerify } from '../../../evidence/verify/verify-bundle.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { whyUnproven } from '../../../run/apply/message.ts';
import { readContract } from '../../../run/trees/inputs.ts';
import type { Contract } from '../../../task/contract.ts';
import { isUrl } from '../../../task/git/clone.ts';
import { whoseSeals } from '../../environment/whose-seals.ts';

interface Flags {
  readonly unproven?: true | undefined;
  readonly key?: string | undefined;
}

export interface ExaminedRun {
  readonly dir: string;
  readonly report: Report;
  readonly contract: Contract;
  /** Digest of the bundle's attestation. */
  readonly attestation: string;
  /** Why the run is not proven on this machine; empty: it is. */
  readonly unproven: readonly string[];
}

/** Verifies a bundle whose patch is to be used. Only `--unproven` accepts one that is not proven on this machine. */
export function examineRun(dir: string, flags: Flags): ExaminedRun {
  const { verification, bundle } = openAndVerify(dir, { ...whoseSeals(flags.key), now: new Date() });
  const report = bundle.report.ok ? bundle.report.value : null;
  const bad = verification.checks.filter((check) => !check.ok).map((check) => `${check.name}: ${check.detail}`);
  if (verification.verdict === 'invalid' || verification.verdict === 'unsealed' || report === null) {
    throw new SeatrialError(
      'blocked',
      `${dir} is ${verification.verdict} and is not applied${bad.length === 0 ? '' : `: ${bad.join('; ')}`}`,
    );
  }
  if (report.frozen_tree?.examined === 'no')
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} has no patch: its tree was not examined (${report.frozen_tree.detail})`,
    );
  if (report.changed_files.length === 0) throw new SeatrialError('blocked', `run ${report.run_id} changed nothing`);
  const signer = bundle.attestation.kind === 'signed' ? bundle.attestation.keyid : 'none';
  const unknownSigner = verification.verdict === 'verified' ? null : signer;
  if (report.status !== 'pass' && flags.unproven !== true)
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} did not pass (${report.failure_reason}); read its report, and give --unproven to apply it anyway`,
    );
  if (unknownSigner !== null && flags.unproven !== true)
    throw new SeatrialError(
      'blocked',
      `run ${report.run_id} is signed by key ${unknownSigner}, which is not trusted here; give its public key (\`seatrial key show\` on the signer's machine) with --key, save it as ~/.config/seatrial/trusted_keys/<name>.pem, or apply the run anyway with --unproven`,
    );
  return {
    dir,
    report,
    contract: readContract(dir),
    attestation: sha256(readFileSync(join(dir, ATTESTATION_FILE))),
    unproven: whyUnproven({ report, unknownSigner }),
  };
}

/** The repository that a run worked on, or the clone of it that was given, and the commit that the run started from. */
export function repositoryOf(
  contract: Contract,
  given: string | undefined,
): { readonly repo: string; readonly base: string } {
  const { repository } = contract;
  if (repository === null)
    throw new SeatrialError(
      'usage',
      'this run worked on a task directory, not on a repository, so there is nothing to apply it to',
    );
  if (repository.dirty)
    throw new SeatrialError(
      'usage',
      `this run started from uncommitted changes; apply its patch by hand with \`git apply\` in ${repository.path}`,
    );
  if (given === undefined && isUrl(repository.path))
    throw new SeatrialError('usage', `this run worked on ${repository.path}; give a clone of it with --repo`);
  return { repo: resolve(given ?? repository.path), base: repository.commit };
}
