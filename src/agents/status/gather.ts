import type { Clock } from '../../kernel/clock.ts';
import type { Project } from '../config/project.ts';
import { projectSocket } from '../host/open.ts';
import type { SessionHost } from '../host/port.ts';
import { watchdogKey } from '../host/tmux/socket.ts';
import { foldJournal } from '../journal/fold.ts';
import { openJournal } from '../journal/store.ts';
import { readPhaseIndex } from '../phases/index-file.ts';
import { stateDir } from '../protocol/paths.ts';
import { heartbeatAge, watchdogLockPath } from '../watchdog/lock-path.ts';
import type { StatusFacts } from './decide.ts';

/** Reads journal, phase and sessions of a project. Writes nothing. */
export async function gatherStatus(
  project: Project,
  host: Pick<SessionHost, 'list'>,
  { env, clock }: { readonly env: NodeJS.ProcessEnv; readonly clock: Clock },
): Promise<StatusFacts> {
  const key = watchdogKey(projectSocket(project, env), project.prefix);
  // tmux answers while the journal is read.
  const [sessions, history] = await Promise.all([host.list(), readHistory(project, clock)]);
  return {
    project,
    index: readPhaseIndex(project),
    history,
    host: sessions,
    heartbeatAgeMs: heartbeatAge(watchdogLockPath(key, env, process.getuid?.() ?? 0), clock.now()),
  };
}

async function readHistory(project: Project, clock: Clock): Promise<StatusFacts['history']> {
  return foldJournal(openJournal(stateDir(project), clock).read());
}
