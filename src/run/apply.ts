import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SeatrialError } from '../kernel/errors.ts';
import { GitFault, gitOfUser } from '../task/git/call.ts';
import { readLargeBlobs } from './patch/large-blobs.ts';

/** A patch to bring home, and what its commit says. */
export interface Delivery {
  readonly bundleDir: string;
  readonly repo: string;
  /** The commit that the run started from. */
  readonly base: string;
  readonly message: string;
  /** A branch to make; null: the one that is checked out moves forward. */
  readonly branch: string | null;
  /** Where a temporary index may lie. */
  readonly scratch: string;
}

export interface Delivered {
  readonly commit: string;
  readonly branch: string | null;
  /** The repository had moved on, and the change was merged into what is there now. */
  readonly merged: boolean;
}

/**
 * Builds the commit aside, on the base that was proven, merges it with what the repository has become, and only then moves a branch:
 * a change that does not fit leaves everything as it was.
 */
export async function deliver(delivery: Delivery): Promise<Delivered> {
  const { repo, branch } = delivery;
  const head = await ask(repo, ['rev-parse', '--verify', 'HEAD^{commit}'], `${repo} has no commit to build on`);
  if (branch !== null) await refuseBranch(repo, branch);
  const proven = await commitOnBase(delivery);
  const merged = head !== delivery.base;
  const tree = await ask(repo, ['rev-parse', `${proven}^{tree}`], 'the patch left no tree');
  const commit = merged
    ? await commitMerged(delivery, head, proven)
    : await commitTree(repo, tree, head, delivery.message);
  await moveTo(repo, branch, commit);
  return { commit, branch, merged };
}

async function ask(repo: string, args: readonly string[], otherwise: string): Promise<string> {
  try {
    return (await gitOfUser(args, { cwd: repo })).toString('utf8').trim();
  } catch (error) {
    throw error instanceof GitFault ? new SeatrialError('usage', otherwise, error) : error;
  }
}

async function refuseBranch(repo: string, branch: string): Promise<void> {
  await ask(repo, ['check-ref-format', '--branch', branch], `${JSON.stringify(branch)} cannot name a branch`);
  const there = await gitOfUser(['branch', '--list', '--format=%(refname:short)', branch], { cwd: repo });
  if (there.length > 0)
    throw new SeatrialError('usage', `branch ${branch} is already there in ${repo}: give another name`);
}

/** The patch on the very commit it was proven on, in an index of its own. */
async function commitOnBase({ bundleDir, repo, base, message, scratch }: Delivery): Promise<string> {
  const call = { cwd: repo, env: { GIT_INDEX_FILE: join(scratch, 'index') } };
  try {
    await gitOfUser(['read-tree', base], call);
  } catch (error) {
    throw new SeatrialError(
      'usage',
      `${repo} does not hold commit ${base}, which the run started from: fetch it, or give --repo`,
      error,
    );
  }
  const patch = readFileSync(join(bundleDir, 'patch.diff'));
  if (patch.length > 0) await gitOfUser(['apply', '--cached', '--whitespace=nowarn', '-'], { ...call, input: patch });
  for (const { path, content } of readLargeBlobs(bundleDir)) {
    const blob =
      content === null
        ? null
        : await gitOfUser(['hash-object', '-w', '--no-filters', join(bundleDir, 'blobs', content.sha256)], call);
    const mode =
      content === null || blob === null ? `0 ${'0'.repeat(40)}` : `${content.mode} ${blob.toString('utf8').trim()}`;
    const row = Buffer.concat([Buffer.from(`${mode}\t`), path, Buffer.alloc(1)]);
    await gitOfUser(['update-index', '-z', '--index-info'], { ...call, input: row });
  }
  const tree = (await gitOfUser(['write-tree'], call)).toString('utf8').trim();
  return commitTree(repo, tree, base, message);
}

async function commitTree(repo: string, tree: string, parent: string, message: string): Promise<string> {
  try {
    const commit = await gitOfUser(['commit-tree', tree, '-p', parent, '-F', '-'], { cwd: repo, input: message });
    return commit.toString('utf8').trim();
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError('blocked', `git cannot commit in ${repo}: ${error.message}`, error);
  }
}

async function commitMerged({ repo, message }: Delivery, head: string, proven: string): Promise<string> {
  try {
    const output = await gitOfUser(['merge-tree', '--write-tree', '--name-only', '--no-messages', head, proven], {
      cwd: repo,
    });
    return await commitTree(repo, output.toString('utf8').split('\n')[0] ?? '', head, message);
  } catch (error) {
    if (!(error instanceof GitFault) || error.exitCode !== 1) throw error;
    const files = error.stdout.toString('utf8').trim().split('\n').slice(1);
    throw new SeatrialError(
      'blocked',
      `the repository has moved on and the change no longer fits (${files.join(', ')}): nothing was touched; run again from where it is now`,
      error,
    );
  }
}

async function moveTo(repo: string, branch: string | null, commit: string): Promise<void> {
  try {
    if (branch === null) await gitOfUser(['merge', '--quiet', '--ff-only', commit], { cwd: repo });
    else await gitOfUser(['switch', '--quiet', '--create', branch, commit], { cwd: repo });
  } catch (error) {
    if (!(error instanceof GitFault)) throw error;
    throw new SeatrialError(
      'blocked',
      `${error.message}: the commit is there as ${commit}, and no branch was moved`,
      error,
    );
  }
}
