import { PANES } from '../../engines/pane/list.ts';
import { type Agent, BUILDER_ROLE, type Phase, type Project } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import { type AgentHistory, newAgentHistory } from '../journal/agent-history.ts';
import type { ProjectHistory } from '../journal/fold.ts';
import { declaredWait } from '../phases/claims.ts';
import { readProtocolFile } from '../protocol/inbox.ts';
import { configDirOf, exitFileOf, phaseFiles } from '../protocol/paths.ts';
import type { AgentFacts } from './facts.ts';
import type { Observer } from './observe.ts';

interface Look {
  readonly project: Project;
  readonly observer: Observer;
  readonly agent: Agent;
  readonly session: SessionFacts | null;
  readonly history: ProjectHistory;
  readonly phase: Phase | null;
  readonly now: Date;
}

/** Everything that decides about one agent now. */
export async function gatherAgentFacts({
  project,
  observer,
  agent,
  session,
  history,
  phase,
  now,
}: Look): Promise<AgentFacts> {
  const own = history.agents.get(agent.name) ?? newAgentHistory(agent.name);
  const ours = session === null || session.project === project.id;
  const living = session !== null && ours && session.dead === null && session.spawn === own.current?.started.spawn;
  const died = ours && (session === null || session.dead !== null) && own.current !== null && own.current.end === null;
  const seen = living ? await observer.look(agent, session, now) : null;
  const status = phase !== null && agent.role === BUILDER_ROLE ? phaseFiles(project, phase.id).status : null;
  return {
    agent,
    history: own,
    session: ours ? (session === null ? null : withExitCode(project, agent, session)) : 'foreign',
    phase,
    phaseHistory: phase === null ? null : (history.phases.get(phase.id) ?? null),
    paused: history.paused || own.paused,
    screen: seen?.screen ?? null,
    kickoff: kickoffKind(agent, phase, own.current?.started.resumed ?? false),
    kickoffSeen: seen?.kickoffSeen ?? false,
    conversation: living || died ? newConversation(project, agent, own) : null,
    progressAt: seen?.progressAt ?? now,
    busyChildren: seen?.busyChildren ?? [],
    waitsUntil: status === null ? null : declaredWait(readProtocolFile(status)),
  };
}

/** Asked once the kickoff was taken: before, the newest one may be that of an earlier start. */
function newConversation(project: Project, { name, backend }: Agent, { current }: AgentHistory): string | null {
  if (current === null || current.conversation !== null || current.kickoff?.taken !== true) return null;
  const pane = backend === null ? undefined : PANES.get(backend);
  return pane?.findConversation?.(configDirOf(project, name), current.startedAt) ?? null;
}

/** The script of the pane knows the exit code where tmux lost it. */
function withExitCode(project: Project, { name }: Agent, session: SessionFacts): SessionFacts {
  if (session.dead === null || session.dead.code !== null || session.spawn === null) return session;
  const text = readProtocolFile(exitFileOf(project, name, session.spawn)).trim();
  return /^\d+$/.test(text) ? { ...session, dead: { ...session.dead, code: Number(text) } } : session;
}

/** How a start of an agent is given its kickoff. Null: it gets none. */
export function kickoffKind(agent: Agent, phase: Phase | null, resumed: boolean): AgentFacts['kickoff'] {
  const pane = agent.backend === null ? undefined : PANES.get(agent.backend);
  if (pane === undefined) return null;
  const has = agent.kind === 'loop' ? phase !== null : agent.prompt !== null;
  if (!has) return null;
  return resumed ? (pane.resumedKickoff ?? pane.kickoff) : pane.kickoff;
}
