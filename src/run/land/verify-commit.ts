import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  checkLandingRecord,
  type CommitIdentity,
  landingRef,
  type LandingRecordCheck,
} from '../../evidence/bundle/landing-record.ts';
import type { TrustedKey } from '../../evidence/bundle/keys.ts';
import { SeatrialError, systemCode } from '../../kernel/errors.ts';
import { git, type GitCall, GitFault } from '../../task/git/call.ts';
import { objectId } from '../../task/git/objects.ts';

/** A commit by its full id, rehashed: its repository is not trusted for it. Throws if it is missing or damaged. */
async function readCommitIdentity(commit: string, call: GitCall): Promise<CommitIdentity> {
  const bytes = await git(['cat-file', 'commit', commit], call);
  if (commit.length === 40 && objectId('commit', bytes) !== commit)
    throw new SeatrialError('blocked', `commit ${commit} is damaged: its content has another id; fetch it again`);
  const head = bytes.subarray(0, bytes.indexOf('\n\n')).toString('latin1');
  return {
    commit,
    tree: /^tree ([0-9a-f]+)$/m.exec(head)?.[1] ?? '',
    parents: [...head.matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, id = '']) => id),
  };
}

/** Where a commit's record may lie, beside the ref of its repository. */
export interface RecordPlaces {
  /** A runs directory. */
  readonly runsDir?: string;
  /** The blob of a ref that is being pushed. */
  readonly blob?: string;
}

/** Null: there is none. */
async function readLandingRecord(
  commit: string,
  call: GitCall,
  { runsDir, blob }: RecordPlaces,
): Promise<Buffer | null> {
  try {
    return await git(['cat-file', 'blob', blob ?? landingRef(commit)], call);
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
  }
  if (runsDir === undefined) return null;
  try {
    return readFileSync(join(runsDir, 'landings', `${commit}.json`));
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}

/** Whether a commit was judged on its parent and passed, as far as its repository and these keys tell. `onto`: the branch it must be for. */
export async function verifyCommit(
  commit: string,
  call: GitCall,
  places: RecordPlaces,
  onto: string | null,
  trusted: readonly TrustedKey[],
): Promise<LandingRecordCheck> {
  const record = await readLandingRecord(commit, call, places);
  if (record === null) return { ok: false, fault: 'it has no landing record' };
  return checkLandingRecord(record, await readCommitIdentity(commit, call), onto, trusted);
}
