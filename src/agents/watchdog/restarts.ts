import { type AgentHistory, HEAL, type SpawnRecord } from '../journal/agent-history.ts';
import type { AgentAction } from './facts.ts';

const WINDOW_MS = 10 * 60_000;
const MAX_RESTARTS = 5;

interface RestartFacts {
  readonly history: AgentHistory;
  readonly end: NonNullable<SpawnRecord['end']>;
  readonly now: Date;
  readonly jitter: number;
  readonly why: string;
  readonly resume: boolean;
}

/** The first restart at once, then after 1, 2, 4 … s; after five within ten minutes it has failed. */
export function nextRestart({ history, end, now, jitter, why, resume }: RestartFacts): AgentAction | null {
  const recent = history.restarts.filter((at) => now.getTime() - at.getTime() < WINDOW_MS).length;
  if (recent >= MAX_RESTARTS)
    return {
      do: 'give-up',
      why: `${MAX_RESTARTS} restarts within ${WINDOW_MS / 60_000} minutes; the last end: ${why}`,
    };
  if (recent === 0) return { do: 'start', why: `${HEAL}: ${why}`, resume };
  if (history.planned === null) {
    const wait = 1000 * 2 ** (recent - 1) * jitter;
    return { do: 'plan-restart', at: new Date(new Date(end.time).getTime() + wait), attempt: recent + 1 };
  }
  return now >= history.planned.at ? { do: 'start', why: `${HEAL}: ${why}`, resume } : null;
}
