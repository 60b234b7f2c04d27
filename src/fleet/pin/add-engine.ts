import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, SeatrialError } from '../../kernel/errors.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { gitInPlace, gitOverNetwork } from '../../task/git/call.ts';
import { isUrl, withoutCredentials } from '../../task/git/clone.ts';
import { changedFiles, commitOf, ENGINE_DIR } from './pinned.ts';

/** Which Seatrial a project is pinned to. */
export interface EngineSource {
  /** URL, or absolute path of a clone. */
  readonly url: string;
  /** Commit, tag or branch; null: what the source has checked out. */
  readonly ref: string | null;
}

export interface AddedEngine {
  readonly commit: string;
  readonly warnings: readonly string[];
}

/** The Seatrial that runs now, if it is a clone of its own; null: it was installed as a package. */
export async function runningEngine(env: NodeJS.ProcessEnv): Promise<EngineSource | null> {
  const root = packageRoot();
  const head = await commitOf(root, 'HEAD', env);
  return head === null ? null : { url: root, ref: head };
}

/** Adds Seatrial as the submodule `engine` of a new repository. Works without any git configuration; the caller commits. */
export async function addEngine(dir: string, { url, ref }: EngineSource, env: NodeJS.ProcessEnv): Promise<AddedEngine> {
  const call = { cwd: dir, caller: env };
  const engine = join(dir, ENGINE_DIR);
  const shown = withoutCredentials(url);
  try {
    // git refuses the file transport for submodules unless it is allowed for this call.
    await gitOverNetwork(
      ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '--name', ENGINE_DIR, '--', url, ENGINE_DIR],
      call,
    );
  } catch (error) {
    throw new SeatrialError(
      'blocked',
      `Seatrial cannot be cloned from ${shown}: ${messageOf(error).replaceAll(url, shown)}`,
      error,
    );
  }
  const commit = await commitOf(engine, ref ?? 'HEAD', env);
  if (commit === null || !existsSync(join(engine, 'seatrial')))
    throw new SeatrialError(
      'blocked',
      commit === null
        ? `there is no ${ref} in ${shown}; name a commit or tag that it has`
        : `${shown} is not a clone of Seatrial: it has no \`seatrial\` at its top`,
    );
  await gitInPlace(['checkout', '--quiet', '--detach', commit], { cwd: engine, caller: env });
  return { commit, warnings: await warningsFor(url, env) };
}

async function warningsFor(url: string, env: NodeJS.ProcessEnv): Promise<string[]> {
  if (isUrl(url)) return [];
  const local = `engine/ comes from ${url}, which only this machine has; for other machines: git submodule set-url engine <url>`;
  return (await changedFiles(url, env)).length > 0
    ? [local, `${url} has uncommitted changes, which are not part of the pin`]
    : [local];
}
