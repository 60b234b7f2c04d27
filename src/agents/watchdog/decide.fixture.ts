import type { Agent } from '../config/project.ts';
import type { SessionFacts } from '../host/port.ts';
import { livingSession } from '../status/seed-table.fixture.ts';
import { foldJournal } from '../journal/fold.ts';
import { journalOf, startedFact, type TimedFact } from '../journal/entries.fixture.ts';
import type { JournalFact } from '../journal/schema.ts';
import { newAgentHistory } from '../journal/agent-history.ts';
import { AGENT } from './agent.fixture.ts';
import { decideAgent } from './decide.ts';
import type { AgentFacts } from './facts.ts';

export const NOW = new Date('2026-06-13T20:00:00.000Z');
export const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1000).toISOString();

export const UP: JournalFact = { type: 'agent.wanted', agent: 'builder', wanted: 'up', by: 'up' };
export const DIED = {
  type: 'agent.died' as const,
  agent: 'builder',
  spawn: 's1',
  how: 'killed' as const,
  code: 137,
  signal: 'SIGKILL',
  evidence: [],
} satisfies JournalFact;
export const CLEAN = { ...DIED, how: 'exited' as const, code: 0, signal: null };
export const CLAIMED = { type: 'claim.seen' as const, phase: 'one', commit: 'a', agent: 'builder', spawn: null };
export const TAKEN: JournalFact = {
  type: 'kickoff.delivered',
  agent: 'builder',
  spawn: 's1',
  taken: true,
  evidence: [],
};

export interface DecisionCase {
  readonly agent?: Partial<Agent>;
  readonly facts?: readonly TimedFact[];
  readonly session?: Partial<SessionFacts> | null | 'foreign';
  readonly changes?: Partial<AgentFacts>;
}

const PHASE = { id: 'one', plan: 'p', models: undefined, proof: null };

export function decideCase({ agent, facts = [UP, startedFact, TAKEN], session = {}, changes }: DecisionCase) {
  const history = foldJournal(journalOf(facts, ago(60)));
  const living = livingSession('t-builder', { project: 'me', spawn: 's1' });
  return decideAgent(
    {
      agent: { ...AGENT, ...agent },
      history: history.agents.get('builder') ?? newAgentHistory('builder'),
      session: session === null || session === 'foreign' ? session : { ...living, ...session },
      phase: PHASE,
      phaseHistory: history.phases.get('one') ?? null,
      paused: history.paused,
      screen: { state: 'working', evidence: 'demo: working', until: null },
      kickoff: 'argument',
      kickoffSeen: false,
      conversation: null,
      progressAt: NOW,
      busyChildren: [],
      waitsUntil: null,
      ...changes,
    },
    NOW,
    1,
  );
}

export const DEAD = { dead: { code: 137, signal: null } };
