import type { Clock } from '../../kernel/clock.ts';
import type { Project } from '../config/project.ts';
import { projectSocket } from '../host/open.ts';
import type { SessionHost } from '../host/port.ts';
import { watchdogKey } from '../host/tmux/socket.ts';
import { type Checkpoint } from '../checkpoint/format.ts';
import { historySince } from '../checkpoint/read.ts';
import { foldJournal } from '../journal/fold.ts';
import { readPhaseIndex } from '../phases/index-file.ts';
import { stateDir } from '../protocol/paths.ts';
import { heartbeatAge, watchdogLockPath } from '../watchdog/lock-path.ts';
import type { StatusFacts } from './decide.ts';

interface Surroundings {
  readonly env: NodeJS.ProcessEnv;
  readonly clock: Clock;
  /** Of this project. */
  readonly checkpoint?: Checkpoint | null;
}

/** Reads journal, phase and sessions of a project. Writes nothing. */
export async function gatherStatus(
  project: Project,
  host: Pick<SessionHost, 'list'>,
  { env, clock, checkpoint = null }: Surroundings,
): Promise<StatusFacts> {
  const key = watchdogKey(projectSocket(project, env), project.prefix);
  // tmux answers while the journal is read.
  const [sessions, history] = await Promise.all([host.list(), readHistory(project, clock, checkpoint)]);
  return {
    project,
    index: readPhaseIndex(project),
    history,
    host: sessions,
    heartbeatAgeMs: heartbeatAge(watchdogLockPath(key, env, process.getuid?.() ?? 0), clock.now()),
  };
}

async function readHistory(
  project: Project,
  clock: Clock,
  checkpoint: Checkpoint | null,
): Promise<StatusFacts['history']> {
  const known = checkpoint === null ? null : await historySince(checkpoint);
  if (known !== null) return known;
  const { openJournal } = await import('../journal/store.ts');
  return foldJournal(openJournal(stateDir(project), clock).read());
}
