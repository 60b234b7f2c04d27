import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { git, GitFault, makeGitDir } from './call.ts';
import { findRepository, lookUpRef, type RepositoryFiles } from '../repository-files.ts';
import { unpackTree } from '../tree/unpack.ts';

/** Overrides the tree's own attributes, so that every file is copied byte for byte. */
export const WHOLE_AND_UNCHANGED = '* -export-ignore -export-subst -text -ident -filter -working-tree-encoding\n';

const LOOK_UP_TIMEOUT_MS = 60_000;
const COPY_TIMEOUT_MS = 600_000;

export interface Copy {
  readonly repo: string;
  /** A full or abbreviated id, `HEAD`, a branch or a tag, optionally followed by `~2` or `^`. */
  readonly name: string;
  /** Path at which our own git directory is created. */
  readonly gitDir: string;
  readonly target: string;
}

/** Copies a commit's files to a directory and returns its full id. Uses only the objects of the repository, not its configuration. */
export async function copyCommit(copy: Copy): Promise<string> {
  const commit = await openCommit(copy);
  await layCommit(copy, commit);
  return commit;
}

/** Creates a git directory of our own that has the objects of a repository, and returns the full id of the commit. */
export async function openCommit({ repo, name, gitDir }: Omit<Copy, 'target'>): Promise<string> {
  const files = findRepository(repo);
  makeGitDir(gitDir, [join(files.commonDir, 'objects')]);
  appendFileSync(join(gitDir, 'config'), '[tar]\n\tumask = 0022\n');
  mkdirSync(join(gitDir, 'info'));
  writeFileSync(join(gitDir, 'info', 'attributes'), WHOLE_AND_UNCHANGED);
  return resolveCommit(files, gitDir, { repo, name });
}

/** Lays the files of a commit that was opened. */
export async function layCommit(
  { repo, gitDir, target }: Pick<Copy, 'repo' | 'gitDir' | 'target'>,
  commit: string,
): Promise<void> {
  const archive = join(gitDir, 'tree.tar');
  try {
    await git(['archive', '--format=tar', `--output=${archive}`, commit], { gitDir, timeoutMs: COPY_TIMEOUT_MS });
  } catch (error) {
    throw new SeatrialError('blocked', `commit ${commit} of ${repo} cannot be copied: ${messageOf(error)}`, error);
  }
  unpackTree(archive, target);
}

/** Splits `HEAD~2` or `main^` into the ref and the ancestor suffix. */
function splitAncestor(name: string): { readonly ref: string; readonly ancestor: string } {
  const ancestor = /(?:[~^]\d*)*$/.exec(name)?.[0] ?? '';
  return { ref: name.slice(0, name.length - ancestor.length), ancestor };
}

/** The full id of a commit of a repository. `gitDir`: our own, which has its objects. */
export async function resolveCommit(
  files: RepositoryFiles,
  gitDir: string,
  asked: Pick<Copy, 'repo' | 'name'>,
): Promise<string> {
  const { ref, ancestor } = splitAncestor(asked.name);
  const id = `${lookUpRef(files, ref) ?? ref}${ancestor}`;
  try {
    const ask = ['rev-parse', '--verify', '--quiet', '--end-of-options', `${id}^{commit}`];
    return (await git(ask, { gitDir, timeoutMs: LOOK_UP_TIMEOUT_MS })).toString('utf8').trim();
  } catch (error) {
    if (error instanceof GitFault && error.gitExitCode === null) {
      throw new SeatrialError('blocked', `${asked.repo} cannot be read: ${messageOf(error)}`, error);
    }
    const problem =
      asked.name === 'HEAD'
        ? `${asked.repo} has no commit yet: commit its files first`
        : `there is no commit ${asked.name} in ${asked.repo}: name one that git log shows there`;
    throw new SeatrialError('usage', problem, error);
  }
}
