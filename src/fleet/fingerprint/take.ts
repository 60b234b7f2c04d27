import { join } from 'node:path';
import { refOf } from '../../confine/processes/process-life.ts';
import { runTool } from '../../confine/processes/spawn.ts';
import { openHostAt } from '../../agents/host/open.ts';
import type { Clock } from '../../kernel/clock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { readLiveProject } from '../live/read.ts';
import { findWatchdogs } from '../live/watchdogs.ts';
import { commitOf, ENGINE_DIR, pinnedCommit } from '../pin/pinned.ts';
import { fingerprintFiles } from './files.ts';
import type { Fingerprint } from './schema.ts';
import { definedVariables } from '../live/variables.ts';

const COMMAND_TIMEOUT_MS = 60_000;

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
}

/** What shows that a live project was not touched. Writes nothing. */
export async function takeFingerprint(
  dir: string,
  asked: Fingerprint['asked'],
  { env, clock }: Surroundings,
): Promise<Fingerprint> {
  const live = readLiveProject(dir, env);
  const host = openHostAt(live.socket, env);
  const view = await host.list();
  await host.close();
  if (view.kind === 'unknown')
    throw new SeatrialError(
      'blocked',
      `tmux did not answer: ${view.why}; no fingerprint without its sessions. Try again.`,
    );
  const sessions = view.kind === 'present' ? [...view.sessions.values()] : [];
  const { fixed, growing } = fingerprintFiles(live, asked.files, asked.except);
  return {
    version: 1,
    project: live.dir,
    taken_at: clock.now().toISOString(),
    asked,
    fixed: {
      files: [...fixed],
      server: view.kind,
      sessions: sessions
        .filter(({ name }) => name.startsWith(live.prefix))
        .sort((a, b) => (a.name < b.name ? -1 : 1))
        .map(({ name, pid, dead }) => ({
          name,
          pid,
          start_time: refOf(pid)?.startTime ?? null,
          dead: dead !== null,
        })),
      watchdogs: findWatchdogs(live).map(({ pid, startTime, dir: project }) => ({
        pid,
        start_time: startTime,
        project,
      })),
      pin: await pinnedCommit(live.dir, env),
      engine: await commitOf(join(live.dir, ENGINE_DIR), 'HEAD', env),
      commands: await Promise.all(asked.commands.map((command) => outputOf(command, env))),
    },
    growing: [...growing],
  };
}

/** For what only a command can tell, such as the sessions of another host. */
async function outputOf(command: string, env: NodeJS.ProcessEnv): Promise<Fingerprint['fixed']['commands'][number]> {
  const { exitCode, stdout } = await runTool('/bin/sh', ['-c', command], {
    env: definedVariables(env),
    timeoutMs: COMMAND_TIMEOUT_MS,
  });
  return { command, exit_code: exitCode, output: stdout };
}
