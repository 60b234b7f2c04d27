import { join } from 'node:path';
import { unpackTree } from '../task/archive.ts';
import { git, makeGitDir } from '../task/git.ts';

/** Fixed, so that the same files give the same base commit on every machine. */
const BASE_DATE = '2000-01-01T00:00:00Z';

/** A copy of the base with one commit in it: no remote, no hook, no history, nothing shared with anything. */
export async function makeWorkspace(baseArchive: string, dir: string): Promise<void> {
  await unpackTree(baseArchive, dir);
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  const call = { gitDir, workTree: dir, cwd: dir, env: { GIT_AUTHOR_DATE: BASE_DATE, GIT_COMMITTER_DATE: BASE_DATE } };
  await git(['add', '--all', '--force', '.'], call);
  await git(['commit', '--quiet', '--allow-empty', '--no-verify', '-m', 'Base'], call);
}
