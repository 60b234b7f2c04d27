import { agentModel } from '../config/models.ts';
import { type Agent, type Project, WATCHDOG, watchdogSession } from '../config/project.ts';
import type { HostView, SessionFacts } from '../host/port.ts';
import { type AgentHistory, newAgentHistory } from '../journal/agent-history.ts';
import type { ProjectHistory } from '../journal/fold.ts';

/** What status is computed from, and nothing else. */
export interface StatusFacts {
  readonly project: Project;
  readonly index: number;
  readonly history: ProjectHistory;
  readonly host: HostView;
  /** Age of the watchdog's last sign of life. Null: none was found. */
  readonly heartbeatAgeMs: number | null;
}

export type AgentState =
  | { readonly kind: 'running' }
  | { readonly kind: 'stopped' }
  | { readonly kind: 'done' }
  | { readonly kind: 'stalled' }
  | { readonly kind: 'backing off'; readonly until: Date }
  | { readonly kind: 'waiting for limit'; readonly until: Date | null }
  | { readonly kind: 'needs you'; readonly what: string }
  | { readonly kind: 'failed' }
  /** The server did not answer. */
  | { readonly kind: 'unknown' };

export interface StatusRow {
  readonly name: string;
  readonly kind: Agent['kind'];
  readonly backend: string | null;
  readonly model: string | null;
  readonly watch: string | null;
  readonly state: AgentState;
  readonly enabled: boolean;
  /** Since when, where the journal knows. */
  readonly since: Date | null;
  /** The facts behind the state, each one sentence. */
  readonly because: readonly string[];
}

export interface ProjectStatus {
  /** Null: the project has no phases. */
  readonly phase: {
    readonly id: string;
    readonly plan: string;
    readonly number: number;
    readonly count: number;
    readonly done: boolean;
  } | null;
  readonly rows: readonly StatusRow[];
  /** Living sessions that start with the prefix and belong to no agent of the file. */
  readonly unlisted: readonly string[];
}

/** A heartbeat older than this means that the watchdog hangs. */
export const HEARTBEAT_LIMIT_MS = 30_000;

/** Pure: the same facts give the same status. */
export function computeStatus(facts: StatusFacts): ProjectStatus {
  const { project, index, host } = facts;
  const count = project.phases.length;
  const done = index >= count;
  const phase = project.phases[Math.min(index, count - 1)];
  const listed = new Set([...project.agents.map(({ session }) => session), watchdogSession(project)]);
  return {
    phase:
      phase === undefined ? null : { id: phase.id, plan: phase.plan, number: Math.min(index + 1, count), count, done },
    rows: [...project.agents.map((agent) => agentRow(facts, agent)), watchdogRow(facts)],
    unlisted:
      host.kind === 'present'
        ? [...host.sessions.keys()].filter((name) => name.startsWith(project.prefix) && !listed.has(name)).sort()
        : [],
  };
}

function agentRow(facts: StatusFacts, agent: Agent): StatusRow {
  const { project, index, history } = facts;
  const phase = project.phases[Math.min(index, project.phases.length - 1)] ?? null;
  const own = history.agents.get(agent.name) ?? newAgentHistory(agent.name);
  const state = stateOf(facts, agent.session, own, phaseNeeds(facts, agent));
  return {
    name: agent.name,
    kind: agent.kind,
    backend: agent.backend,
    model: agentModel(project, agent, phase)?.name ?? null,
    watch: agent.kind === 'service' ? null : agent.watch,
    enabled: agent.enabled,
    ...state,
  };
}

/** What the open phase needs of a person, on the rows of the loops that are parked for it. */
function phaseNeeds({ project, index, history }: StatusFacts, { kind }: Agent): string | null {
  const phase = project.phases[index];
  return kind === 'loop' && phase !== undefined ? (history.phases.get(phase.id)?.needs ?? null) : null;
}

type Found = Pick<StatusRow, 'state' | 'since' | 'because'>;

function stateOf({ project, host }: StatusFacts, session: string, own: AgentHistory, needs: string | null): Found {
  if (host.kind === 'unknown') return found({ kind: 'unknown' }, null, `tmux did not answer: ${host.why}`);
  const seen = host.kind === 'present' ? host.sessions.get(session) : undefined;
  const because = [sessionSentence(project, session, seen, host)];
  if (seen !== undefined && seen.dead === null) return livingState(project, own, seen, because, needs);
  return endedState(own, because, needs);
}

function livingState(
  project: Project,
  own: AgentHistory,
  seen: SessionFacts,
  because: readonly string[],
  phaseNeed: string | null,
): Found {
  const { current } = own;
  if (seen.project !== project.id || current === null || seen.spawn !== current.started.spawn)
    return found({ kind: 'running' }, seen.createdAt, ...because);
  const { needs, limit, stalled, startedAt } = current;
  if (needs !== null) return found({ kind: 'needs you', what: needs.what }, needs.since, ...because, ...needs.evidence);
  if (limit !== null)
    return found({ kind: 'waiting for limit', until: limit.until }, limit.since, ...because, ...limit.evidence);
  if (stalled !== null) return found({ kind: 'stalled' }, stalled.since, ...because, ...stalled.evidence);
  if (phaseNeed !== null) return found({ kind: 'needs you', what: phaseNeed }, null, ...because);
  return found({ kind: 'running' }, startedAt, ...because, `started: ${current.started.why}`);
}

function endedState(own: AgentHistory, because: readonly string[], phaseNeed: string | null): Found {
  const { current, planned, failed } = own;
  const end = current?.end ?? null;
  const last = end === null ? [] : [endSentence(end)];
  const endAt = end === null ? null : new Date(end.time);
  if (failed !== null) return found({ kind: 'failed' }, failed.since, ...because, ...last, failed.why);
  if (phaseNeed !== null) return found({ kind: 'needs you', what: phaseNeed }, endAt, ...because, ...last);
  if (planned !== null && own.wanted !== 'down')
    return found({ kind: 'backing off', until: planned.at }, endAt, ...because, ...last, `restart ${planned.attempt}`);
  if (end?.type === 'agent.done') return found({ kind: 'done' }, endAt, ...because, ...last);
  return found({ kind: 'stopped' }, endAt, ...because, ...last);
}

function watchdogRow({ project, host, history, heartbeatAgeMs }: StatusFacts): StatusRow {
  const session = watchdogSession(project);
  const seen = host.kind === 'present' ? host.sessions.get(session) : undefined;
  const row = { name: WATCHDOG, kind: 'service', backend: null, model: null, watch: null, enabled: true } as const;
  if (host.kind === 'unknown')
    return { ...row, ...found({ kind: 'unknown' }, null, `tmux did not answer: ${host.why}`) };
  const because = sessionSentence(project, session, seen, host);
  if (seen === undefined || seen.dead !== null) return { ...row, ...found({ kind: 'stopped' }, null, because) };
  const ours = seen.project === project.id && history.watchdog !== null;
  if (ours && heartbeatAgeMs !== null && heartbeatAgeMs > HEARTBEAT_LIMIT_MS)
    return {
      ...row,
      ...found(
        { kind: 'stalled' },
        null,
        because,
        `last sign of life ${Math.round(heartbeatAgeMs / 1000)} s ago; \`seatrial up\` replaces it`,
      ),
    };
  return { ...row, ...found({ kind: 'running' }, seen.createdAt, because) };
}

function found(state: AgentState, since: Date | null, ...because: readonly string[]): Found {
  return { state, since, because };
}

function sessionSentence(project: Project, session: string, seen: SessionFacts | undefined, host: HostView): string {
  if (host.kind === 'absent') return 'there is no tmux server';
  if (seen === undefined) return `there is no session ${session}`;
  if (seen.dead !== null) {
    const { code, signal } = seen.dead;
    return `session ${session}: its process has ended${signal === null ? (code === null ? '' : ` with code ${code}`) : ` by ${signal}`}`;
  }
  if (seen.project === project.id) return `session ${session} lives, process ${seen.pid}`;
  return seen.project === null
    ? `session ${session} lives, but was not started by Seatrial`
    : `session ${session} lives, but belongs to another project (${seen.project.slice(0, 12)})`;
}

function endSentence(end: NonNullable<NonNullable<AgentHistory['current']>['end']>): string {
  switch (end.type) {
    case 'agent.stopped':
      return `stopped: ${end.why}`;
    case 'agent.done':
      return 'finished its task';
    case 'agent.died':
      if (end.how === 'gone') return 'its session disappeared';
      return end.signal === null ? `exited with code ${end.code ?? '?'}` : `killed by ${end.signal}`;
    default:
      return end satisfies never;
  }
}
