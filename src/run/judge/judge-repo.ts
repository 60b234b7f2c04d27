import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { copyCommit } from '../../task/git/copy-commit.ts';
import { judge } from './judge.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';

/** A commit to be judged on its own: by the tests it brings, unless others are given. */
export interface RepoRequest extends Pick<
  JudgeRequest,
  'testCommand' | 'timeoutMs' | 'nonce' | 'confinement' | 'mask'
> {
  readonly repo: string;
  /** An id, whole or shortened; `HEAD`; a branch or tag. */
  readonly commit: string;
  /** A folder of its own, empty, below the confinement's scratch. */
  readonly scratch: string;
  readonly sealedTests?: string | null;
  readonly expectedTests?: readonly string[] | null;
  readonly isolation?: JudgeRequest['isolation'];
  readonly tools?: JudgeRequest['tools'];
  readonly signal?: AbortSignal;
}

export interface RepoResult extends JudgeResult {
  /** The whole id of what was judged. */
  readonly commit: string;
}

/** Judges a cold copy of a commit. Nothing of the repository but its objects takes part. */
export async function judgeRepo(request: RepoRequest): Promise<RepoResult> {
  const { repo, scratch, testCommand, timeoutMs, nonce, confinement, mask, tools, signal } = request;
  const workspace = join(scratch, 'tree');
  const own = join(scratch, 'judge');
  const commit = await copyCommit({ repo, name: request.commit, gitDir: join(scratch, 'git'), target: workspace });
  mkdirSync(own);
  const result = await judge({
    workspace,
    sealedTests: request.sealedTests ?? null,
    testCommand,
    expectedTests: request.expectedTests ?? null,
    isolation: request.isolation ?? 'in_process',
    timeoutMs,
    nonce,
    scratch: own,
    confinement,
    mask,
    ...(tools === undefined ? {} : { tools }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ...result, commit };
}
