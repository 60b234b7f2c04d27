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

const NO_HISTORY: ProjectHistory = {
  agents: new Map(),
  phases: new Map(),
  paused: false,
  watchdog: null,
  index: null,
  lastAt: null,
};

/** Any prefix of a journal folds; facts about a spawn that is not the agent's current one change nothing. */
export function foldJournal(entries: readonly JournalEntry[]): ProjectHistory {
  return new JournalFold().update(entries);
}

/** What a history says after further facts. */
export function foldFurther(history: ProjectHistory, entries: readonly JournalEntry[]): ProjectHistory {
  return new JournalFold(history).update(entries);
}

/** Folds a journal that grows: facts that were folded before are not folded again. */
export class JournalFold {
  #folded: readonly JournalEntry[] = [];
  readonly #agents: Map<string, AgentHistory>;
  readonly #phases: Map<string, PhaseHistory>;
  readonly #before: Date | null;
  #paused: boolean;
  #watchdog: FactOf<'watchdog.started'> | null;
  #index: number | null;

  constructor(start: ProjectHistory = NO_HISTORY) {
    this.#agents = new Map(start.agents);
    this.#phases = new Map(start.phases);
    this.#before = start.lastAt;
    this.#paused = start.paused;
    this.#watchdog = start.watchdog;
    this.#index = start.index;
  }

  /** `entries`: all facts after the history that it started with. */
  update(entries: readonly JournalEntry[]): ProjectHistory {
    const last = this.#folded.length - 1;
    if (last >= 0 && entries[last]?.hash !== this.#folded[last]?.hash) return new JournalFold().update(entries);
    for (const entry of entries.slice(this.#folded.length)) this.#fold(entry);
    this.#folded = entries;
    const newest = entries.at(-1);
    return {
      agents: new Map(this.#agents),
      phases: new Map(this.#phases),
      paused: this.#paused,
      watchdog: this.#watchdog,
      index: this.#index,
      lastAt: newest === undefined ? this.#before : new Date(newest.time),
    };
  }

  #fold(entry: JournalEntry): void {
    if ('agent' in entry && entry.agent !== null)
      this.#agents.set(
        entry.agent,
        foldAgentFact(this.#agents.get(entry.agent) ?? newAgentHistory(entry.agent), entry),
      );
    if ('phase' in entry && entry.phase !== null && entry.type !== 'agent.started')
      this.#phases.set(
        entry.phase,
        foldPhaseFact(this.#phases.get(entry.phase) ?? newPhaseHistory(entry.phase), entry),
      );
    if (entry.type === 'agent.paused' && entry.agent === null) this.#paused = entry.paused;
    if (entry.type === 'watchdog.started') this.#watchdog = entry;
    if (entry.type === 'watchdog.stopped') this.#watchdog = null;
    if (entry.type === 'phase.ended') this.#index = entry.index + 1;
    if (entry.type === 'phase.set') {
      this.#index = entry.index;
      // From there on everything is to be done anew.
      for (const [id, { began }] of this.#phases)
        if (began !== null && began.index >= entry.index) this.#phases.delete(id);
    }
  }
}
