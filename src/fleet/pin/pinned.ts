import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GitFault, gitInPlace } from '../../task/git/call.ts';

type Environment = NodeJS.ProcessEnv;

/** Name of the submodule with a project's own Seatrial. */
export const ENGINE_DIR = 'engine';

/** The commit that a project pins Seatrial to; null: it has no such submodule. Writes nothing. */
export async function pinnedCommit(dir: string, env: Environment): Promise<string | null> {
  if (!existsSync(join(dir, '.gitmodules'))) return null;
  const listed = await asked(['ls-files', '--stage', '--', ENGINE_DIR], dir, env);
  return /^160000 ([0-9a-f]{40,64}) /m.exec(listed ?? '')?.[1] ?? null;
}

/** The commit behind a name in a repository; null: it has no such name. */
export async function commitOf(repository: string, name: string, env: Environment): Promise<string | null> {
  if (!existsSync(join(repository, '.git'))) return null;
  const text = await asked(
    ['rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`],
    repository,
    env,
  );
  return text?.trim() ?? null;
}

/** Tracked files of a repository that are not as committed. */
export async function changedFiles(repository: string, env: Environment): Promise<readonly string[]> {
  const text = await asked(
    ['status', '--porcelain', '-z', '--untracked-files=no', '--ignore-submodules'],
    repository,
    env,
  );
  return (text ?? '').split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
}

async function asked(args: readonly string[], cwd: string, caller: Environment): Promise<string | null> {
  try {
    return (await gitInPlace(args, { cwd, caller })).toString('utf8');
  } catch (error) {
    if (error instanceof GitFault) return null;
    throw error;
  }
}
