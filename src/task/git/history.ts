import { copyFileSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { findRepository } from '../repository-files.ts';
import { git, makeGitDir } from './call.ts';

/** The past of a commit: a git directory with nothing in it but these commits and their files. */
export interface History {
  readonly gitDir: string;
  readonly commit: string;
  /** The commit's tree. */
  readonly tree: string;
  /** How many commits there are; fewer than asked for where the history is shorter. */
  readonly commits: number;
}

export interface HistoryRequest {
  readonly repo: string;
  /** Our own git directory, which reads the repository's objects. */
  readonly gitDir: string;
  readonly commit: string;
  /** How far back, counted in generations; 1 is the commit alone. */
  readonly generations: number;
  /** Path at which the copy is created. */
  readonly target: string;
}

const COPY_TIMEOUT_MS = 600_000;
const REF = 'refs/heads/history';

/**
 * Copies the last generations up to a commit. Only what the commit can reach is copied, so no later commit, other branch, tag, note or
 * stash is in it; and nothing of the repository's configuration, so there is no remote.
 */
export async function copyHistory({ repo, gitDir, commit, generations, target }: HistoryRequest): Promise<History> {
  const shallow = join(findRepository(repo).commonDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(gitDir, 'shallow'));
  makeGitDir(target);
  const local = ['protocol.file.allow=always', 'fetch.unpackLimit=1'];
  try {
    await git(['update-ref', REF, commit], { gitDir });
    const fetch = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head', `--depth=${generations}`, gitDir];
    await git([...fetch, `${REF}:${REF}`], { gitDir: target, config: local, timeoutMs: COPY_TIMEOUT_MS });
    const ask = async (...args: string[]): Promise<string> =>
      (await git(args, { gitDir: target, timeoutMs: COPY_TIMEOUT_MS })).toString('utf8').trim();
    const tree = await ask('rev-parse', `${commit}^{tree}`);
    const commits = Number(await ask('rev-list', '--count', commit));
    return { gitDir: target, commit, tree, commits };
  } catch (error) {
    const next = 'leave out --history, or make the clone complete with `git fetch --unshallow --refetch`';
    throw new SeatrialError('blocked', `the history of ${repo} cannot be copied: ${messageOf(error)}; ${next}`, error);
  }
}

/** Lays the objects of a history into another git directory of ours. Its refs stay as they are. */
export function layHistory({ gitDir }: History, target: string): void {
  const packs = join(gitDir, 'objects', 'pack');
  mkdirSync(join(target, 'objects', 'pack'), { recursive: true });
  for (const name of readdirSync(packs))
    if (/\.(?:pack|idx)$/.test(name)) copyFileSync(join(packs, name), join(target, 'objects', 'pack', name));
  const shallow = join(gitDir, 'shallow');
  if (existsSync(shallow)) copyFileSync(shallow, join(target, 'shallow'));
}
