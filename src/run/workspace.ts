import { join } from 'node:path';
import { unpackTree } from '../task/archive.ts';
import { git, makeGitDir } from '../task/git.ts';

/** Fixed, so that the same files give the same base commit on every machine. */
const BASE_DATE = '2000-01-01T00:00:00Z';

/** One pack, written as it is read: ten thousand loose files or the compression of a large one would take longer than most engines. */
const ONE_PACK = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'core.bigFileThreshold',
  GIT_CONFIG_VALUE_0: '1',
  GIT_CONFIG_KEY_1: 'core.compression',
  GIT_CONFIG_VALUE_1: '0',
};

/** A copy of the base with one commit in it: no remote, no hook, no history, nothing shared with anything. */
export async function makeWorkspace(baseArchive: string, dir: string): Promise<void> {
  await unpackTree(baseArchive, dir);
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  const call = {
    gitDir,
    workTree: dir,
    cwd: dir,
    env: { ...ONE_PACK, GIT_AUTHOR_DATE: BASE_DATE, GIT_COMMITTER_DATE: BASE_DATE },
  };
  await git(['add', '--all', '--force', '.'], call);
  await git(['commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'Base'], call);
}
