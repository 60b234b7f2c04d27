import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { unpackTree } from '../../task/archive.ts';
import { git, makeGitDir } from '../../task/git.ts';
import { judge } from './judge.ts';
import { findRepository, lookUpRef } from './repository-objects.ts';
import type { JudgeRequest, JudgeResult } from './types.ts';

/** A commit to be judged on its own: by the tests it brings, unless others are given. */
export interface RepoRequest extends Pick<JudgeRequest, 'testCommand' | 'timeoutMs' | 'nonce' | 'confinement'> {
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
  const { repo, scratch, testCommand, timeoutMs, nonce, confinement, tools, signal } = request;
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
    ...(tools === undefined ? {} : { tools }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { ...result, commit };
}

/** Over whatever the tree's own attributes say: every file comes along, byte for byte. */
const WHOLE_AND_UNCHANGED = '* -export-ignore -export-subst -text -ident -filter -working-tree-encoding\n';

interface Copy {
  readonly repo: string;
  readonly name: string;
  readonly gitDir: string;
  readonly target: string;
}

async function copyCommit({ repo, name, gitDir, target }: Copy): Promise<string> {
  const files = findRepository(repo);
  makeGitDir(gitDir, [join(files.commonDir, 'objects')]);
  appendFileSync(join(gitDir, 'config'), '[tar]\n\tumask = 0022\n');
  mkdirSync(join(gitDir, 'info'));
  writeFileSync(join(gitDir, 'info', 'attributes'), WHOLE_AND_UNCHANGED);
  const commit = await resolveCommit(lookUpRef(files, name) ?? name, gitDir, { repo, name });
  const archive = join(gitDir, 'tree.tar');
  try {
    await git(['archive', '--format=tar', `--output=${archive}`, commit], { gitDir });
  } catch (error) {
    throw new SeatrialError('blocked', `commit ${commit} of ${repo} cannot be copied: ${messageOf(error)}`, error);
  }
  await unpackTree(archive, target);
  return commit;
}

async function resolveCommit(id: string, gitDir: string, asked: Pick<Copy, 'repo' | 'name'>): Promise<string> {
  try {
    const found = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${id}^{commit}`], { gitDir });
    return found.toString('utf8').trim();
  } catch (error) {
    throw new SeatrialError(
      'usage',
      `there is no commit ${asked.name} in ${asked.repo}: name one that git log shows there`,
      error,
    );
  }
}
