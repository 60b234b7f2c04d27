import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withLock } from '../../evidence/storage/lock.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { refuseLinks } from '../../evidence/storage/no-follow.ts';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { git, GitFault, makeGitDir } from '../../task/git/call.ts';
import { isUrl, withoutCredentials } from '../../task/git/clone.ts';
import { findRepository, lookUpRef } from '../../task/repository-files.ts';
import { ADVERSARY_ROLE, type Agent, type Project } from '../config/project.ts';
import { cloneOf } from './paths.ts';

const CLONE_TIMEOUT_MS = 600_000;
const ASK_TIMEOUT_MS = 60_000;
const PROTOCOLS = ['https', 'http', 'ssh', 'git', 'file'].map((name) => `protocol.${name}.allow=always`);

/**
 * Makes the clone of a role's agent if there is none. From then on it belongs to the agent: git never runs in it again with its own
 * configuration, only on its objects through a git directory of ours.
 */
export async function ensureClone(project: Project, agent: Agent): Promise<void> {
  const target = cloneOf(project, agent);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), { recursive: true });
  // `up` and a watchdog may start the same agent at once.
  await withLock(`${target}.lock`, () => makeClone(project, agent, target), CLONE_TIMEOUT_MS);
}

async function makeClone(project: Project, agent: Agent, target: string): Promise<void> {
  if (existsSync(target)) return;
  const draft = `${target}.new`;
  await removeTree(draft);
  try {
    await git(['clone', '--quiet', '--no-hardlinks', '--', project.repo, draft], {
      config: PROTOCOLS,
      timeoutMs: CLONE_TIMEOUT_MS,
    });
  } catch (error) {
    const from = isUrl(project.repo) ? withoutCredentials(project.repo) : project.repo;
    throw new SeatrialError('blocked', `cannot clone ${from} for ${agent.name}: ${messageOf(error)}`, error);
  }
  const config = join(draft, '.git', 'config');
  appendFileSync(config, `[user]\n\tname = ${agent.name}\n\temail = ${agent.name}@localhost\n`);
  // The adversary gets the claimed commit and nothing else.
  if (agent.role === ADVERSARY_ROLE) await git(['remote', 'remove', 'origin'], { gitDir: join(draft, '.git') });
  renameSync(draft, target);
}

/** The commit that a clone has checked out. Runs no git in it. */
export function headOfClone(clone: string): string | null {
  try {
    return lookUpRef(findRepository(clone), 'HEAD');
  } catch {
    return null;
  }
}

interface ClaimQuestion {
  readonly clone: string;
  readonly base: string | null;
  readonly commit: string;
  /** For a git directory of ours; removed afterwards. */
  readonly scratch: string;
}

/** Why a claim cannot be judged; null: it can. Asks through a git directory of ours. */
export async function faultOfClaim({ clone, base, commit, scratch }: ClaimQuestion): Promise<string | null> {
  if (commit === base) return 'it is the commit that the phase began with';
  if (!(await hasCommit(clone, commit, scratch))) return "there is no such commit in the builder's clone";
  if (base === null) return null;
  return withObjectsOf(clone, scratch, async (gitDir) => {
    try {
      await git(['merge-base', '--is-ancestor', base, commit], { gitDir, timeoutMs: ASK_TIMEOUT_MS });
      return null;
    } catch (error) {
      if (error instanceof GitFault && error.gitExitCode !== null) return `it does not descend from the base ${base}`;
      throw error;
    }
  });
}

interface Handover {
  readonly from: string;
  readonly to: string;
  readonly base: string | null;
  readonly commit: string;
  readonly scratch: string;
  /** Its name below `refs/seatrial/`. */
  readonly ref: 'claim' | 'base';
}

/** Puts a commit and what it needs into another clone, as objects and a ref. Runs no git in either clone. */
export async function giveCommit({ from, to, base, commit, scratch, ref: name }: Handover): Promise<void> {
  const objects = join(to, '.git', 'objects');
  const ref = join(to, '.git', 'refs', 'seatrial', name);
  refuseLinks(to, objects, ref);
  const known = base !== null && (await hasCommit(to, base, scratch));
  await withObjectsOf(from, scratch, async (gitDir) => {
    const revisions = `${commit}\n${known ? `^${base}\n` : ''}`;
    const pack = await git(['pack-objects', '--revs', '--stdout', '--quiet'], { gitDir, input: revisions });
    await git(['unpack-objects', '-q'], { gitDir, input: pack, env: { GIT_OBJECT_DIRECTORY: objects } });
  });
  mkdirSync(dirname(ref), { recursive: true });
  writeFileSync(ref, `${commit}\n`);
}

export function hasCommit(clone: string, commit: string, scratch: string): Promise<boolean> {
  return withObjectsOf(clone, scratch, async (gitDir) => {
    try {
      await git(['cat-file', '-e', `${commit}^{commit}`], { gitDir, timeoutMs: ASK_TIMEOUT_MS });
      return true;
    } catch (error) {
      if (error instanceof GitFault && error.gitExitCode !== null) return false;
      throw error;
    }
  });
}

async function withObjectsOf<T>(clone: string, scratch: string, work: (gitDir: string) => Promise<T>): Promise<T> {
  const gitDir = join(scratch, 'git');
  rmSync(gitDir, { recursive: true, force: true });
  makeGitDir(gitDir, [join(findRepository(clone).commonDir, 'objects')]);
  try {
    return await work(gitDir);
  } finally {
    rmSync(gitDir, { recursive: true, force: true });
  }
}
