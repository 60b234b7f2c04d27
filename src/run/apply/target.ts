import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { GitFault, gitInPlace } from '../../task/git/call.ts';
import { findRepository } from '../../task/repository-files.ts';
import { isOn, lastValue, parseSettings, type RepositorySetting } from './repository-settings.ts';

export type CallerEnvironment = Readonly<Record<string, string | undefined>>;

export type WorkTree =
  | { readonly kind: 'here'; readonly path: string }
  /** Set by `core.worktree`. */
  | { readonly kind: 'elsewhere'; readonly path: string }
  | { readonly kind: 'none' };

/** The repository that a patch is applied to. */
export interface Target {
  /** As given by the caller. */
  readonly repo: string;
  /** For a linked work tree, its own; `commonDir` is shared by all work trees. */
  readonly gitDir: string;
  readonly commonDir: string;
  readonly workTree: WorkTree;
  /** The current commit; null: the branch has none yet. */
  readonly head: string | null;
  /** Full name of the current branch; null: HEAD is detached. */
  readonly branch: string | null;
  /** A git operation in progress, such as `rebase`. */
  readonly operation: string | null;
  readonly otherWorkTrees: readonly { readonly path: string; readonly branch: string | null }[];
  readonly settings: readonly RepositorySetting[];
  readonly caller: CallerEnvironment;
}

/** Reads the state that applying depends on. Runs nothing of the repository and changes nothing. */
export async function openTarget(repo: string, caller: CallerEnvironment): Promise<Target> {
  const { gitDir, commonDir } = findRepository(repo);
  const ask = (args: readonly string[]): Promise<string> => askTarget({ repo, gitDir, caller }, args);
  // Without an explicit git directory, so that git checks the owner of the repository.
  const bare = await gitInPlace(['rev-parse', '--is-bare-repository'], { cwd: repo, caller }).catch(refuse(repo));
  const isBare = gitDir === repo || bare.toString('utf8').trim() === 'true';
  const branch = await ask(['symbolic-ref', '--quiet', 'HEAD']);
  return {
    repo,
    gitDir,
    commonDir,
    workTree: isBare ? { kind: 'none' } : await findWorkTree(repo, caller),
    head: nonEmpty(await ask(['rev-parse', '--verify', '--quiet', 'HEAD^{commit}'])),
    branch: branch.startsWith('refs/heads/') ? branch : null,
    operation: OPERATIONS.find(([file]) => existsSync(join(gitDir, file)))?.[1] ?? null,
    otherWorkTrees: otherThan(repo, await ask(['worktree', 'list', '--porcelain', '-z'])),
    settings: parseSettings(await ask(['config', '--list', '--null'])),
    caller,
  };
}

/** Git's output; empty if it only fails with an exit code. */
export async function askTarget(
  { repo, gitDir, caller }: Pick<Target, 'repo' | 'gitDir' | 'caller'>,
  args: readonly string[],
): Promise<string> {
  try {
    return (await gitInPlace(args, { cwd: repo, gitDir, caller })).toString('utf8').replace(/\n$/, '');
  } catch (error) {
    if (error instanceof GitFault && error.gitExitCode === 1) return '';
    return refuse(repo)(error);
  }
}

function refuse(repo: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError('blocked', `${repo} cannot be used: ${messageOf(error)}`, error);
  };
}

async function findWorkTree(repo: string, caller: CallerEnvironment): Promise<WorkTree> {
  const output = await gitInPlace(['rev-parse', '--show-toplevel'], { cwd: repo, caller }).catch(refuse(repo));
  const path = output.toString('utf8').replace(/\n$/, '');
  return { kind: samePlace(path, repo) ? 'here' : 'elsewhere', path };
}

/** In the order of git's own prompt script. */
const OPERATIONS: readonly (readonly [file: string, name: string])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick or revert'],
  ['BISECT_LOG', 'bisect'],
];

/** Parses `worktree <path>`, `branch <ref>` and others, each terminated by NUL, with an empty one after each work tree. */
function otherThan(repo: string, listing: string): Target['otherWorkTrees'] {
  return listing
    .split('\0\0')
    .map((block) => block.split('\0'))
    .flatMap((lines) => {
      const after = (word: string): string | null =>
        lines.find((line) => line.startsWith(`${word} `))?.slice(word.length + 1) ?? null;
      const path = after('worktree');
      return path === null || samePlace(path, repo) ? [] : [{ path, branch: after('branch') }];
    });
}

function samePlace(one: string, other: string): boolean {
  try {
    return realpathSync(one) === realpathSync(other);
  } catch {
    return false; // the directory of the work tree was deleted
  }
}

const nonEmpty = (text: string): string | null => (text === '' ? null : text);

/** `fix` for `refs/heads/fix`. */
export const branchName = (ref: string): string => ref.replace(/^refs\/heads\//, '');

/** Author and committer, as environment variables for git. */
export async function readIdentity(target: Target): Promise<Readonly<Record<string, string>>> {
  return { ...(await identityOf(target, 'AUTHOR')), ...(await identityOf(target, 'COMMITTER')) };
}

async function identityOf(
  { repo, gitDir, caller }: Target,
  role: 'AUTHOR' | 'COMMITTER',
): Promise<Readonly<Record<string, string>>> {
  try {
    const output = await gitInPlace(['var', `GIT_${role}_IDENT`], { cwd: repo, gitDir, caller });
    const [, name = '', email = '', date = ''] =
      /^(.*) <(.*)> (\d+ [+-]\d{4})$/.exec(output.toString('utf8').trim()) ?? [];
    return { [`GIT_${role}_NAME`]: name, [`GIT_${role}_EMAIL`]: email, [`GIT_${role}_DATE`]: `@${date}` };
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    const remedy = 'set user.name and user.email with `git config`';
    throw new SeatrialError('blocked', `git does not know who commits in ${repo}: ${remedy}`, error);
  }
}

/** Whether git would sign a commit here, with a configured program. */
export function wantsSignature({ settings }: Target): boolean {
  return isOn(lastValue(settings, 'commit.gpgsign'));
}

/** Whether objects may be missing, which git would fetch on demand. */
export function isPartialClone({ settings }: Target): boolean {
  return settings.some(({ name, value }) => /^remote\..*\.promisor$/s.test(name) && isOn(value));
}
