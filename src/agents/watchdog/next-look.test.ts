import { expect, test } from 'vitest';
import type { Agent } from '../config/project.ts';
import type { AgentHistory } from '../journal/agent-history.ts';
import { journalOf, startedFact } from '../journal/entries.fixture.ts';
import { foldJournal } from '../journal/fold.ts';
import type { JournalFact } from '../journal/schema.ts';
import { AGENT } from './agent.fixture.ts';
import { nextLook } from './next-look.ts';

const STARTED = new Date('2026-01-01T00:00:00Z');
const PHASE = { id: 'one', plan: 'one.md', models: undefined, proof: null };
const SPAWN = { agent: 'builder', spawn: 's1' };
const TAKEN = { type: 'kickoff.delivered' as const, ...SPAWN, taken: true, evidence: [] };
const DIED = { type: 'agent.died' as const, ...SPAWN, how: 'exited' as const, code: 1, signal: null, evidence: [] };
const PLANNED = { type: 'restart.planned' as const, ...SPAWN, at: '2026-01-01T00:10:00Z', attempt: 2 };

const historyAfter = (...facts: readonly JournalFact[]): AgentHistory | null =>
  foldJournal(journalOf([startedFact, ...facts], STARTED.toISOString())).agents.get('builder') ?? null;

const COMMAND: Agent = { ...AGENT, kind: 'persistent', role: null, backend: 'command', command: 'true' };
const SERVICE: Agent = { ...COMMAND, kind: 'service', backend: null };

test.each([
  ['one that was never started', AGENT, null, 5, 2000],
  ['a program that starts', AGENT, historyAfter(), 1, 60],
  ['a program whose kickoff is awaited', AGENT, historyAfter(), 10, 300],
  ['a program whose kickoff waits for a person', AGENT, historyAfter(), 3600, 2000],
  ['a program at work', AGENT, historyAfter(TAKEN), 1, 2000],
  ['a program that has died', AGENT, historyAfter(DIED), 1, 2000],
  ['a program that is to be restarted', AGENT, historyAfter(DIED, PLANNED), 1, 300],
  ['a command that starts', COMMAND, historyAfter(), 1, 60],
  ['a command, which gets no kickoff', COMMAND, historyAfter(), 10, 2000],
  ['a service', SERVICE, historyAfter(), 1, 2000],
] as const)('%s', (_, agent, history, seconds, ms) => {
  expect(nextLook(agent, history, PHASE, new Date(STARTED.getTime() + seconds * 1000))).toBe(ms);
});
