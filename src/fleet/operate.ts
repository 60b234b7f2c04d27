import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownCommand } from '../agents/lifecycle/environment.ts';
import { runTool } from '../confine/processes/spawn.ts';
import { messageOf } from '../kernel/errors.ts';
import { gitOverNetwork } from '../task/git/call.ts';
import type { FleetEntry } from './config/load.ts';
import { ENGINE_DIR } from './pin/pinned.ts';
import { definedVariables } from './live/variables.ts';

const TIMEOUT_MS = 900_000;

/** What came of a command in one project. */
export interface ProjectOutcome {
  readonly name: string;
  readonly ok: boolean;
  /** What the command printed. */
  readonly text: string;
}

/** How the Seatrial of a project is called: its pinned one, or the one that runs now. */
export function projectCommand(dir: string): readonly string[] {
  const pinned = join(dir, ENGINE_DIR, 'seatrial');
  return existsSync(pinned) ? [pinned] : ownCommand();
}

/** Runs a command of Seatrial in one project, as a process of its own: what goes wrong in one project stops no other. */
export async function callInProject(
  { name, dir }: Pick<FleetEntry, 'name' | 'dir'>,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<ProjectOutcome> {
  const [file = '', ...before] = projectCommand(dir);
  const done = await runTool(file, [...before, ...args, '--project', dir], {
    env: definedVariables(env),
    timeoutMs: TIMEOUT_MS,
  });
  const text = `${done.stdout}${done.stderr}`.trim();
  return { name, ok: done.exitCode === 0, text };
}

/** Clones a project that is named by `repo` and not there yet. Null: it is there now; else why not. */
export async function ensureCloned({ dir, repo }: FleetEntry, env: NodeJS.ProcessEnv): Promise<string | null> {
  if (repo === null || existsSync(dir)) return null;
  mkdirSync(dirname(dir), { recursive: true });
  try {
    await gitOverNetwork(
      ['-c', 'protocol.file.allow=always', 'clone', '--quiet', '--recurse-submodules', '--', repo, dir],
      { cwd: dirname(dir), caller: env },
    );
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
