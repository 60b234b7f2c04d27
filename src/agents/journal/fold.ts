import { type AgentHistory, foldAgentFact, newAgentHistory } from './agent-history.ts';
import { foldPhaseFact, newPhaseHistory, type PhaseHistory } from './phase-history.ts';
import type { FactOf, JournalEntry } from './schema.ts';

/** What the facts so far say about the present. */
export interface ProjectHistory {
  readonly agents: ReadonlyMap<string, AgentHistory>;
  readonly phases: ReadonlyMap<string, PhaseHistory>;
  /** All agents are left alone. */
  readonly paused: boolean;
  readonly watchdog: FactOf<'watchdog.started'> | null;
  /** The index after the last advance or `phase set`. Null: neither has happened. */
  readonly index: number | null;
  readonly lastAt: Date | null;
}

/** Any prefix of a journal folds; facts about a spawn that is not the agent's current one change nothing. */
export function foldJournal(entries: readonly JournalEntry[]): ProjectHistory {
  const agents = new Map<string, AgentHistory>();
  const phases = new Map<string, PhaseHistory>();
  let paused = false;
  let watchdog: FactOf<'watchdog.started'> | null = null;
  let index: number | null = null;
  for (const entry of entries) {
    if ('agent' in entry && entry.agent !== null)
      agents.set(entry.agent, foldAgentFact(agents.get(entry.agent) ?? newAgentHistory(entry.agent), entry));
    if ('phase' in entry && entry.phase !== null && entry.type !== 'agent.started')
      phases.set(entry.phase, foldPhaseFact(phases.get(entry.phase) ?? newPhaseHistory(entry.phase), entry));
    if (entry.type === 'agent.paused' && entry.agent === null) paused = entry.paused;
    if (entry.type === 'watchdog.started') watchdog = entry;
    if (entry.type === 'watchdog.stopped') watchdog = null;
    if (entry.type === 'phase.ended') index = entry.index + 1;
    if (entry.type === 'phase.set') {
      index = entry.index;
      // From there on everything is to be done anew.
      for (const [id, { began }] of phases) if (began !== null && began.index >= index) phases.delete(id);
    }
  }
  const last = entries.at(-1);
  return { agents, phases, paused, watchdog, index, lastAt: last === undefined ? null : new Date(last.time) };
}
