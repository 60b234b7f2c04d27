import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { makeTemporary } from '../../../evidence/bundle/temporary.ts';
import { ATTESTATION_FILE } from '../../../evidence/bundle/manifest.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { verifyBundle } from '../../../evidence/verify/verify-bundle.ts';
import type { VerifyCheck, VerifyOptions } from '../../../evidence/verify/types.ts';
import { sha256 } from '../../../kernel/digest.ts';
import { systemCode } from '../../../kernel/errors.ts';
import { verifyCommit } from '../../../run/land/verify-commit.ts';
import { makeGitDir } from '../../../task/git/call.ts';
import { resolveCommit } from '../../../task/git/copy-commit.ts';
import { repositoryAround } from '../../../task/repository-around.ts';
import { findRepository, lookUpRef } from '../../../task/repository-files.ts';
import { landingRef } from '../../../evidence/bundle/landing-record.ts';

export interface LandingVerification {
  readonly commit: string;
  readonly ok: boolean;
  readonly checks: readonly VerifyCheck[];
}

/** Checks the landing record of a commit, and its bundle where that is here. Reads only objects of the repository and writes nothing to it. */
export async function verifyLanding(
  name: string,
  given: string,
  runsDir: string,
  options: VerifyOptions,
): Promise<LandingVerification> {
  const repo = repositoryAround(resolve(given)).root;
  const files = findRepository(repo);
  const scratch = makeTemporary('verify');
  try {
    const gitDir = join(scratch, 'git');
    makeGitDir(gitDir, [join(files.commonDir, 'objects')]);
    const commit = await resolveCommit(files, gitDir, { repo, name });
    const blob = lookUpRef(files, landingRef(commit));
    const places = { runsDir, ...(blob === null ? {} : { blob }) };
    const found = await verifyCommit(commit, { gitDir }, places, null, options.trusted);
    if (!found.ok) return { commit, ok: false, checks: [{ name: 'record', ok: false, detail: found.fault }] };
    const { subject, predicate } = found.statement;
    const [{ name: onto, annotations }] = subject;
    const detail = `judged on ${annotations.tip.slice(0, 12)} for ${onto} in ${annotations.run_id}, signed by ${found.signer.name}`;
    const checks = [
      { name: 'record', ok: true, detail },
      bundleCheck(join(runsDir, annotations.run_id), predicate.configuration[0].digest.sha256, commit, options),
    ];
    return { commit, ok: checks.every(({ ok }) => ok), checks };
  } finally {
    await removeTree(scratch);
  }
}

/** The record proves the commit by itself; the bundle shows how. */
function bundleCheck(dir: string, attestation: string, commit: string, options: VerifyOptions): VerifyCheck {
  const name = 'bundle';
  let bytes: Buffer;
  try {
    bytes = readFileSync(join(dir, ATTESTATION_FILE));
  } catch (error) {
    if (systemCode(error) !== 'ENOENT' && systemCode(error) !== 'ENOTDIR') throw error;
    return { name, ok: true, detail: `${dir} is not here, so only the signed record was checked` };
  }
  if (sha256(bytes) !== attestation)
    return { name, ok: false, detail: `${dir} is not the bundle that the record names` };
  const { verdict, status, checks } = verifyBundle(dir, options);
  const bad = checks.filter(({ ok }) => !ok).map((check) => `${check.name}: ${check.detail}`);
  const ok = verdict === 'verified' && status === 'pass';
  return {
    name,
    ok,
    detail: ok ? `${dir} is verified and judged ${commit.slice(0, 12)}` : [`${dir} is ${verdict}`, ...bad].join('; '),
  };
}
