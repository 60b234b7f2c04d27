import type { FactOf, JournalEntry } from './schema.ts';

/** A finding about a living spawn, and since when it holds. */
interface Finding {
  readonly since: Date;
  readonly evidence: readonly string[];
}

/** One start of an agent. */
export interface SpawnRecord {
  readonly started: FactOf<'agent.started'>;
  readonly startedAt: Date;
  readonly conversation: string | null;
  readonly kickoff: { readonly taken: boolean; readonly at: Date } | null;
  /** Null: as far as is known it lives. */
  readonly end: FactOf<'agent.died'> | FactOf<'agent.stopped'> | FactOf<'agent.done'> | null;
  readonly needs: (Finding & { readonly what: string }) | null;
  /** `until` null: the screen does not say when the limit ends. */
  readonly limit: (Finding & { readonly until: Date | null }) | null;
  readonly stalled: Finding | null;
  readonly nudgedAt: Date | null;
}

/** What the facts say about one agent. */
export interface AgentHistory {
  readonly agent: string;
  /** What a person asked for last. Null: nothing yet. */
  readonly wanted: 'up' | 'down' | null;
  readonly wantedAt: Date | null;
  readonly paused: boolean;
  /** The last start. */
  readonly current: SpawnRecord | null;
  /** Ids of all starts before it. */
  readonly earlier: ReadonlySet<string>;
  /** A restart that waits for its time. */
  readonly planned: { readonly at: Date; readonly attempt: number } | null;
  readonly failed: { readonly why: string; readonly since: Date } | null;
  /** When it was restarted after a crash, since a person last started it. */
  readonly restarts: readonly Date[];
  /** How often it went on after a usage limit in this phase. */
  readonly resumes: number;
}

export function newAgentHistory(agent: string): AgentHistory {
  return {
    agent,
    wanted: null,
    wantedAt: null,
    paused: false,
    current: null,
    earlier: new Set(),
    planned: null,
    failed: null,
    restarts: [],
    resumes: 0,
  };
}

/** `why` of a start after a crash or a stall; others begin a new count of restarts. */
export const HEAL = 'heal';
/** `why` of a start after a usage limit. */
export const AFTER_LIMIT = 'limit over';

export function foldAgentFact(history: AgentHistory, entry: JournalEntry): AgentHistory {
  const at = new Date(entry.time);
  switch (entry.type) {
    case 'agent.wanted':
      return {
        ...history,
        wanted: entry.wanted,
        wantedAt: at,
        ...(entry.wanted === 'up' ? { failed: null, planned: null, restarts: [] } : { planned: null }),
      };
    case 'agent.paused':
      return { ...history, paused: entry.paused };
    case 'agent.started':
      return started(history, entry, at);
    default:
      if (!('spawn' in entry) || history.current?.started.spawn !== entry.spawn) return history;
      return ofSpawn(history, history.current, entry, at);
  }
}

function started(history: AgentHistory, entry: FactOf<'agent.started'>, at: Date): AgentHistory {
  const heals = entry.why.startsWith(HEAL);
  const resumes = entry.why.startsWith(AFTER_LIMIT)
    ? history.resumes + 1
    : history.current?.started.phase === entry.phase
      ? history.resumes
      : 0;
  const { current: before } = history;
  return {
    ...history,
    earlier: before === null ? history.earlier : new Set([...history.earlier, before.started.spawn]),
    planned: null,
    failed: null,
    restarts: heals ? [...history.restarts, at] : history.restarts,
    resumes,
    current: {
      started: entry,
      startedAt: at,
      conversation: entry.conversation,
      kickoff: null,
      end: null,
      needs: null,
      limit: null,
      stalled: null,
      nudgedAt: null,
    },
  };
}

function ofSpawn(history: AgentHistory, current: SpawnRecord, entry: JournalEntry, at: Date): AgentHistory {
  const change = (changed: Partial<SpawnRecord>): AgentHistory => ({ ...history, current: { ...current, ...changed } });
  switch (entry.type) {
    case 'agent.conversation':
      return change({ conversation: entry.conversation });
    case 'kickoff.delivered':
      return change({ kickoff: { taken: entry.taken, at } });
    case 'agent.died':
    case 'agent.stopped':
    case 'agent.done':
      return change({ end: entry });
    case 'restart.planned':
      return { ...history, planned: { at: new Date(entry.at), attempt: entry.attempt } };
    case 'agent.failed':
      return { ...history, planned: null, failed: { why: entry.why, since: at } };
    case 'agent.needs':
      return change({ needs: { what: entry.what, since: at, evidence: entry.evidence } });
    case 'agent.limited': {
      const until = entry.until === null ? null : new Date(entry.until);
      return change({ limit: { until, since: at, evidence: entry.evidence } });
    }
    case 'agent.stalled':
      return change({ stalled: { since: at, evidence: entry.evidence } });
    case 'agent.nudged':
      return change({ nudgedAt: at });
    case 'agent.recovered':
      return change({ needs: null, limit: null, stalled: null, nudgedAt: null });
    default:
      return history;
  }
}
