import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { attestLanding, keepLandingFile, type LandingFacts, landingRef } from '../../evidence/bundle/landing-record.ts';
import { ATTESTATION_FILE } from '../../evidence/bundle/manifest.ts';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { RESULT_SUFFIX, sealLandingResult } from '../../evidence/verification-result/seal-result.ts';
import { sha256 } from '../../kernel/digest.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { CommitBuilder } from '../apply/build-commit.ts';
import { moveBranch, removeBranch, setRef } from '../apply/move-refs.ts';
import { placeCommit } from '../apply/place-commit.ts';
import { branchName } from '../apply/target.ts';
import { type Branch, openBranch, refusalOfHolder } from './branch.ts';
import type { LandOptions, LandPorts } from './outcome.ts';
import type { MergedCommit } from './prepare-judgement.ts';
import { pushLanding, remoteTip } from './push.ts';
import { withCheckoutNote } from './unfinished-checkout.ts';
import { skippedHooks } from './skipped-hooks.ts';

/** A merged commit whose tree passed. */
export interface ProvenCommit {
  /** The run that the change comes from. */
  readonly runId: string;
  /** Of the judgement. */
  readonly report: Report;
  readonly merged: MergedCommit;
  readonly branch: Branch;
  /** Holds the commit aside. */
  readonly builder: CommitBuilder;
}

export type Published =
  | { readonly kind: 'landed'; readonly notes: readonly string[]; readonly result: string }
  | { readonly kind: 'held'; readonly reason: Reason }
  /** The branch has another tip now. */
  | { readonly kind: 'moved' };

/**
 * Puts a proven commit on its branch. The record comes first: a commit that is on the branch can be verified, whenever this process is
 * killed. `scratch` exists.
 */
export async function publishCommit(
  proven: ProvenCommit,
  options: LandOptions,
  ports: LandPorts,
  scratch: string,
): Promise<Published> {
  const { branch, builder, merged } = proven;
  const { target, tip } = branch;
  const facts = factsOf(proven, ports);
  const record = attestLanding(facts, ports.key);
  await builder.bringHome(merged.commit, tip);
  const blob = await builder.keepBlob(record);
  keepLandingFile(ports.runsDir, `${merged.commit}.json`, record);
  const sealed = sealLandingResult(facts, record, ports.key);
  const result = keepLandingFile(ports.runsDir, `${merged.commit}${RESULT_SUFFIX}`, sealed);
  await setRef(target, landingRef(merged.commit), blob);
  const withdraw = (): Promise<void> => removeBranch(target, landingRef(merged.commit), blob);
  const refused = options.push === null ? null : await push(proven, options.push, blob);
  if (refused !== null) {
    await withdraw();
    return { kind: 'held', reason: refused };
  }
  const notes = await move(proven, options, ports, scratch);
  if (notes === null) {
    // After a push the commit is on the remote, and its record has to stay.
    if (options.push === null) await withdraw();
    return { kind: 'moved' };
  }
  await requireLanded(proven, scratch);
  const hooks = skippedHooks(target);
  return { kind: 'landed', notes: hooks === null ? notes : [...notes, hooks], result };
}

function factsOf({ runId, report, merged, branch }: ProvenCommit, { clock }: LandPorts): LandingFacts {
  return {
    onto: branch.ref,
    tip: branch.tip,
    commit: merged.commit,
    tree: merged.tree,
    runId: report.run_id,
    parentRunId: runId,
    attestationSha256: sha256(readFileSync(join(report.run_dir, ATTESTATION_FILE))),
    provenAt: clock.now().toISOString(),
  };
}

async function push({ branch, merged }: ProvenCommit, remote: string, record: string): Promise<Reason | null> {
  const expected = await remoteTip(branch, remote);
  const why =
    expected === null || expected === branch.tip
      ? await pushLanding(branch, remote, { commit: merged.commit, record, expected })
      : `${branchName(branch.ref)} is at ${expected.slice(0, 12)} there`;
  return why === null ? null : reason('landing_push_refused', { remote, why });
}

/** Returns notices for the user; null: the branch has moved. */
async function move(
  { branch: { ref, tip }, merged: { commit, changes }, runId }: ProvenCommit,
  { repo }: LandOptions,
  { caller }: LandPorts,
  scratch: string,
): Promise<readonly string[] | null> {
  const why = `seatrial land ${runId}`;
  // Read again: the branch may have been checked out, or its files changed, while the tests ran.
  const now = await openBranch(repo, ref, caller);
  if (now.tip !== tip) return null;
  const refusal = await refusalOfHolder(now, join(scratch, 'after'));
  if (refusal !== null) throw new SeatrialError('blocked', refusal);
  try {
    const { holder } = now;
    if (holder !== null)
      return await withCheckoutNote(holder, { ref, from: tip, to: commit }, () =>
        placeCommit(holder, {
          destination: { branch: null, checkOut: true },
          parent: tip,
          commit,
          changes,
          why,
          view: join(scratch, 'view'),
        }),
      );
    await moveBranch(now.target, ref, commit, tip, why);
    return [];
  } catch (error) {
    const after = await openBranch(repo, ref, caller);
    if (after.tip !== tip && after.tip !== commit) return null;
    throw error;
  }
}

/** What is on the branch must be what was judged. */
async function requireLanded({ branch, merged: { commit, tree } }: ProvenCommit, scratch: string): Promise<void> {
  const place = join(scratch, 'landed');
  mkdirSync(place);
  const found = await new CommitBuilder(branch.target, place).treeOf(commit);
  if (found === tree) return;
  throw new SeatrialError(
    'blocked',
    `${branchName(branch.ref)} was moved to ${commit}, whose tree is ${found}, not ${tree} as judged`,
  );
}
