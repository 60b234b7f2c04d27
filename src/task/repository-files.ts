import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { SeatrialError } from '../kernel/errors.ts';

/**
 * A repository read as plain files: its configuration, hooks and filters are untrusted, so git never runs in it. Refs are
 * resolved by our own code; objects are read through a git directory of our own.
 */
export interface RepositoryFiles {
  /** The directory with HEAD; for a linked work tree, its own. */
  readonly gitDir: string;
  /** The directory with branches, tags and objects. */
  readonly commonDir: string;
}

export function findRepository(repo: string): RepositoryFiles {
  const dotGit = join(repo, '.git');
  const gitDir = !existsSync(dotGit) ? repo : statSync(dotGit).isDirectory() ? dotGit : linkedGitDir(repo, dotGit);
  const common = textOf(join(gitDir, 'commondir'))?.trim();
  const commonDir = common === undefined ? gitDir : resolve(gitDir, common);
  if (!existsSync(join(commonDir, 'objects')) || !existsSync(join(gitDir, 'HEAD'))) {
    throw new SeatrialError('usage', `${repo} is not a git repository: name the directory that contains .git`);
  }
  const odd = oddObject(join(commonDir, 'objects'));
  if (odd !== null)
    throw new SeatrialError(
      'blocked',
      `${odd} is neither a file nor a directory: git would block on it forever; remove it`,
    );
  return { gitDir, commonDir };
}

/** Finds a pipe, device or socket among the object files. */
function oddObject(dir: string): string | null {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    const kind = entry.isSymbolicLink() ? statSync(path, { throwIfNoEntry: false }) : entry;
    if (kind === undefined || kind.isFile()) continue;
    const odd = !kind.isDirectory() ? path : entry.isSymbolicLink() ? null : oddObject(path);
    if (odd !== null) return odd;
  }
  return null;
}

function linkedGitDir(repo: string, dotGit: string): string {
  const target = /^gitdir: (.+)$/m.exec(textOf(dotGit) ?? '')?.[1];
  if (target === undefined) throw new SeatrialError('usage', `${dotGit} does not name a git directory`);
  return resolve(repo, target);
}

const LONGEST_CHAIN = 5;

/** The object id of `HEAD`, a branch, a tag or a remote branch; null: no such ref, so the name may be an id itself. */
export function lookUpRef(files: RepositoryFiles, name: string): string | null {
  const candidates =
    name === 'HEAD'
      ? ['HEAD']
      : [name, `refs/${name}`, `refs/tags/${name}`, `refs/heads/${name}`, `refs/remotes/${name}`];
  for (const candidate of candidates) {
    const found =
      candidate === 'HEAD' || candidate.startsWith('refs/') ? followRef(files, candidate, LONGEST_CHAIN) : null;
    if (found !== null) return found;
  }
  return null;
}

function followRef(files: RepositoryFiles, ref: string, left: number): string | null {
  if (left === 0 || ref.split('/').includes('..')) return null;
  const text = textOf(join(files.gitDir, ref)) ?? textOf(join(files.commonDir, ref));
  if (text === null) return packedRef(files, ref);
  const target = /^ref: (\S+)/.exec(text)?.[1];
  return target === undefined ? (/^[0-9a-f]{40}/.exec(text)?.[0] ?? null) : followRef(files, target, left - 1);
}

function packedRef({ commonDir }: RepositoryFiles, ref: string): string | null {
  const line = (textOf(join(commonDir, 'packed-refs')) ?? '').split('\n').find((text) => text.endsWith(` ${ref}`));
  return line === undefined ? null : (/^[0-9a-f]{40}/.exec(line)?.[0] ?? null);
}

function textOf(path: string): string | null {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true ? readFileSync(path, 'utf8') : null;
}
