import { join } from 'node:path';
import { makeGitDir } from '../../task/git/call.ts';
import { commitBase } from '../../task/git/base-commit.ts';
import { type TakenRepository, takeRepository } from '../../task/own-repository.ts';
import { walkTree } from '../../task/tree/walk.ts';
import type { RunRequest } from '../request.ts';
import { BaseCache } from '../trees/base-cache.ts';
import type { InputSources } from '../trees/inputs.ts';

/** Makes a directory of files a repository with one commit. */
export function commitFiles(dir: string): void {
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  commitBase(gitDir, dir, walkTree(dir, { skipTopGit: true }));
}

/** The files of a commit as `run --repo` takes them: in a cache of this row's own, unless copies are asked for. */
export async function committedInputs(
  { environment }: RunRequest,
  { path, commit }: { readonly path: string; readonly commit: string },
  scratch: string,
): Promise<{ readonly taken: TakenRepository; readonly inputs: InputSources }> {
  const { key, clock, workspace } = environment;
  const cache = new BaseCache({ dir: join(scratch, 'cache/trees'), key: () => key, clock, checks: 'ahead' });
  const isShared = workspace !== 'copy';
  const taken = await takeRepository({ path, commit, dirty: false, scratch, ...(isShared ? { cache } : {}) });
  const cached = cache.entryAt(taken.filesDir);
  return { taken, inputs: { filesDir: taken.filesDir, testsDir: null, ...(cached === null ? {} : { cached }) } };
}
