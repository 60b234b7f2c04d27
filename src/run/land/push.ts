import { landingRef } from '../../evidence/bundle/landing-record.ts';
import { messageOf } from '../../kernel/errors.ts';
import { GitFault, gitOverNetwork } from '../../task/git/call.ts';
import { hooksDisabled } from '../apply/move-refs.ts';
import type { Target } from '../apply/target.ts';
import type { Branch } from './branch.ts';

/** The commit of a branch on a remote; null: the remote has no such branch. Throws `GitFault` if the remote cannot be asked. */
export async function remoteTip(
  { target, ref }: Pick<Branch, 'target' | 'ref'>,
  remote: string,
): Promise<string | null> {
  const output = await overNetwork(target, ['ls-remote', '--refs', '--', remote, ref]);
  return /^([0-9a-f]{40,64})\t/.exec(output.toString('utf8'))?.[1] ?? null;
}

export interface Push {
  readonly commit: string;
  /** The blob with the landing record. */
  readonly record: string;
  /** Where the remote's branch must be; null: nowhere yet. */
  readonly expected: string | null;
}

/** Pushes commit and record in one transaction, only if the branch has not moved. Returns why the remote refused; null: it took both. */
export async function pushLanding(
  { target, ref }: Pick<Branch, 'target' | 'ref'>,
  remote: string,
  { commit, record, expected }: Push,
): Promise<string | null> {
  const lease = `--force-with-lease=${ref}:${expected ?? ''}`;
  const refs = [`${commit}:${ref}`, `${record}:${landingRef(commit)}`];
  try {
    await overNetwork(target, ['push', '--atomic', '--no-verify', '--quiet', lease, '--', remote, ...refs]);
    return null;
  } catch (error) {
    if (error instanceof GitFault) return messageOf(error).replace(/^git push failed: /, '');
    throw error;
  }
}

async function overNetwork(target: Target, args: readonly string[]): Promise<Buffer> {
  const { repo: cwd, gitDir, caller } = target;
  return gitOverNetwork(args, { cwd, gitDir, caller, env: await hooksDisabled(target) });
}
