import { gitInPlace } from '../../task/git/call.ts';
import { configuredHooks, parseSettings } from './repository-settings.ts';
import { askTarget, branchName, type Target } from './target.ts';

const ABSENT = '0'.repeat(40);

/** Moves a branch, unless it is no longer where it was seen. */
export async function moveBranch(target: Target, ref: string, to: string, from: string, why: string): Promise<void> {
  await withoutHooks(target, ['update-ref', '-m', why, ref, to, from]);
}

/** Makes a branch, unless there is one of that name. */
export async function createBranch(target: Target, ref: string, at: string, why: string): Promise<void> {
  await withoutHooks(target, ['update-ref', '-m', why, ref, at, ABSENT]);
}

export async function removeBranch(target: Target, ref: string, at: string): Promise<void> {
  await withoutHooks(target, ['update-ref', '-d', ref, at]);
}

/** Puts HEAD on a branch. The note in its log is what `git switch -` looks for. */
export async function switchHead(target: Target, ref: string): Promise<void> {
  const why = `checkout: moving from ${target.branch === null ? target.head : branchName(target.branch)} to ${branchName(ref)}`;
  await withoutHooks(target, ['symbolic-ref', '-m', why, 'HEAD', ref]);
}

/** Puts HEAD back to where it was when the target was opened. */
export async function restoreHead(target: Target, why: string): Promise<void> {
  const back =
    target.branch === null
      ? ['update-ref', '--no-deref', '-m', why, 'HEAD', target.head ?? ABSENT]
      : ['symbolic-ref', '-m', why, 'HEAD', target.branch];
  await withoutHooks(target, back);
}

/**
 * Hooks that stand in files are off in every call. Those that stand in the configuration are named and disabled one by one, as they are at
 * this moment: a file that the configuration includes may be part of the work tree.
 */
async function withoutHooks(target: Target, args: readonly string[]): Promise<void> {
  const hooks = configuredHooks(parseSettings(await askTarget(target, ['config', '--list', '--null'])));
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(hooks.length) };
  for (const [at, name] of hooks.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = `hook.${name}.enabled`;
    env[`GIT_CONFIG_VALUE_${at}`] = 'false';
  }
  await gitInPlace(args, { cwd: target.repo, gitDir: target.gitDir, caller: target.caller, env });
}
