import type { Clock } from '../../kernel/clock.ts';
import type { Project } from '../config/project.ts';
import { projectSocket, openHost } from '../host/open.ts';
import type { SessionFacts, SessionHost } from '../host/port.ts';
import { watchdogKey } from '../host/tmux/socket.ts';
import { foldJournal, type ProjectHistory } from '../journal/fold.ts';
import { type Journal, openJournal } from '../journal/store.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { stateDir } from '../protocol/paths.ts';
import { watchdogLockPath } from '../watchdog/lock-path.ts';

/** What every command that changes a project works with. */
export interface Operation {
  readonly project: Project;
  readonly host: SessionHost;
  readonly journal: Journal;
  readonly clock: Clock;
  readonly env: NodeJS.ProcessEnv;
  /** Name of the watchdog's fence, and path of its lock. */
  readonly fenceName: string;
  readonly lockPath: string;
}

export async function operate<T>(
  project: Project,
  { env, clock }: { readonly env: NodeJS.ProcessEnv; readonly clock: Clock },
  work: (operation: Operation) => Promise<T>,
): Promise<T> {
  const host = openHost(project, env);
  const key = watchdogKey(projectSocket(project, env), project.prefix);
  try {
    return await work({
      project,
      host,
      journal: openJournal(stateDir(project), clock),
      clock,
      env,
      fenceName: `watchdog-${key}`,
      lockPath: watchdogLockPath(key, env, process.getuid?.() ?? 0),
    });
  } finally {
    await host.close();
  }
}

/** Every session of the server. A server that does not answer blocks: nothing may be started or ended on a guess. */
export async function sessionsOf({ host }: Operation): Promise<ReadonlyMap<string, SessionFacts>> {
  const view = await host.list();
  if (view.kind === 'unknown')
    throw new SeatrialError('blocked', `tmux did not answer: ${view.why}; nothing was changed. Try again.`);
  return view.kind === 'present' ? view.sessions : new Map();
}

export const historyOf = ({ journal }: Operation): ProjectHistory => foldJournal(journal.read());
