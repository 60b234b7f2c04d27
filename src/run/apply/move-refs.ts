import { gitInPlace } from '../../task/git/call.ts';
import { configuredHooks, parseSettings } from './repository-settings.ts';
import { askTarget, branchName, type Target } from './target.ts';

const ABSENT = '0'.repeat(40);

/** Moves a branch; fails if it has moved in the meantime. */
export async function moveBranch(target: Target, ref: string, to: string, from: string, why: string): Promise<void> {
  await withoutHooks(target, ['update-ref', '-m', why, ref, to, from]);
}

/** Creates a branch; fails if it exists. */
export async function createBranch(target: Target, ref: string, at: string, why: string): Promise<void> {
  await withoutHooks(target, ['update-ref', '-m', why, ref, at, ABSENT]);
}

/** Points a ref of our own at an object, whatever it pointed at before. */
export async function setRef(target: Target, ref: string, to: string): Promise<void> {
  await withoutHooks(target, ['update-ref', ref, to]);
}

export async function removeBranch(target: Target, ref: string, at: string): Promise<void> {
  await withoutHooks(target, ['update-ref', '-d', ref, at]);
}

/** Points HEAD at a branch. `git switch -` looks for this reflog message. */
export async function switchHead(target: Target, ref: string): Promise<void> {
  const why = `checkout: moving from ${target.branch === null ? target.head : branchName(target.branch)} to ${branchName(ref)}`;
  await withoutHooks(target, ['symbolic-ref', '-m', why, 'HEAD', ref]);
}

/** Restores HEAD to its value when the target was opened. */
export async function restoreHead(target: Target, why: string): Promise<void> {
  const back =
    target.branch === null
      ? ['update-ref', '--no-deref', '-m', why, 'HEAD', target.head ?? ABSENT]
      : ['symbolic-ref', '-m', why, 'HEAD', target.branch];
  await withoutHooks(target, back);
}

/**
 * Hook files are disabled in every call. Hooks defined in the configuration are disabled one by one, from the configuration as it is
 * now: an included file may be part of the work tree.
 */
async function withoutHooks(target: Target, args: readonly string[]): Promise<void> {
  const env = await hooksDisabled(target);
  await gitInPlace(args, { cwd: target.repo, gitDir: target.gitDir, caller: target.caller, env });
}

/** Variables that disable every hook which the configuration defines now. */
export async function hooksDisabled(target: Target): Promise<Readonly<Record<string, string>>> {
  const hooks = configuredHooks(parseSettings(await askTarget(target, ['config', '--list', '--null'])));
  const env: Record<string, string> = { GIT_CONFIG_COUNT: String(hooks.length) };
  for (const [at, name] of hooks.entries()) {
    env[`GIT_CONFIG_KEY_${at}`] = `hook.${name}.enabled`;
    env[`GIT_CONFIG_VALUE_${at}`] = 'false';
  }
  return env;
}
