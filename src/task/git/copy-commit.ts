import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { git, GitFault, makeGitDir } from './call.ts';
import { findRepository, lookUpRef } from '../repository-files.ts';
import { unpackTree } from '../tree/unpack.ts';

/** Over whatever the tree's own attributes say: every file comes along, byte for byte. */
const WHOLE_AND_UNCHANGED = '* -export-ignore -export-subst -text -ident -filter -working-tree-encoding\n';

const LOOK_UP_TIMEOUT_MS = 60_000;
const COPY_TIMEOUT_MS = 600_000;

export interface Copy {
  readonly repo: string;
  /** An id, whole or shortened; `HEAD`; a branch or tag; one of these with `~2` or `^` behind it. */
  readonly name: string;
  /** Where our own git directory is made. */
  readonly gitDir: string;
  readonly target: string;
}

/** Lays a cold copy of a commit into a folder and gives its whole id. Nothing of the repository but its objects takes part. */
export async function copyCommit({ repo, name, gitDir, target }: Copy): Promise<string> {
  const files = findRepository(repo);
  makeGitDir(gitDir, [join(files.commonDir, 'objects')]);
  appendFileSync(join(gitDir, 'config'), '[tar]\n\tumask = 0022\n');
  mkdirSync(join(gitDir, 'info'));
  writeFileSync(join(gitDir, 'info', 'attributes'), WHOLE_AND_UNCHANGED);
  const { ref, ancestor } = splitAncestor(name);
  const commit = await resolveCommit(`${lookUpRef(files, ref) ?? ref}${ancestor}`, gitDir, { repo, name });
  const archive = join(gitDir, 'tree.tar');
  try {
    await git(['archive', '--format=tar', `--output=${archive}`, commit], { gitDir, timeoutMs: COPY_TIMEOUT_MS });
  } catch (error) {
    throw new SeatrialError('blocked', `commit ${commit} of ${repo} cannot be copied: ${messageOf(error)}`, error);
  }
  unpackTree(archive, target);
  return commit;
}

/** `HEAD~2` and `main^` name an ancestor of what the ref names. */
function splitAncestor(name: string): { readonly ref: string; readonly ancestor: string } {
  const ancestor = /(?:[~^]\d*)*$/.exec(name)?.[0] ?? '';
  return { ref: name.slice(0, name.length - ancestor.length), ancestor };
}

async function resolveCommit(id: string, gitDir: string, asked: Pick<Copy, 'repo' | 'name'>): Promise<string> {
  try {
    const ask = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${id}^{commit}`];
    return (await git(ask, { gitDir, timeoutMs: LOOK_UP_TIMEOUT_MS })).toString('utf8').trim();
  } catch (error) {
    if (error instanceof GitFault && error.gitExitCode === null) {
      throw new SeatrialError('blocked', `${asked.repo} cannot be read: ${messageOf(error)}`, error);
    }
    throw new SeatrialError(
      'usage',
      `there is no commit ${asked.name} in ${asked.repo}: name one that git log shows there`,
      error,
    );
  }
}
