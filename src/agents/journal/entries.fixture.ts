import type { JournalEntry, JournalFact } from './schema.ts';

export type TimedFact = JournalFact & { readonly happened?: string };

/** Facts as entries of a journal, all of one time unless they bring their own. */
export function journalOf(facts: readonly TimedFact[], time: string): JournalEntry[] {
  return facts.map(({ happened, ...fact }, seq) => ({
    version: 1,
    seq,
    time: happened ?? time,
    prev: '0'.repeat(64),
    hash: '0'.repeat(64),
    ...fact,
  }));
}

export const startedFact = {
  type: 'agent.started' as const,
  agent: 'builder',
  spawn: 's1',
  session: 't-builder',
  kind: 'loop' as const,
  why: 'up',
  backend: 'demo',
  model: null,
  phase: 'one',
  conversation: 'c1',
  resumed: false,
  settings: '0'.repeat(64),
} satisfies JournalFact;

export const diedFact = {
  type: 'agent.died' as const,
  agent: 'builder',
  spawn: 's1',
  how: 'exited' as const,
  code: 1,
  signal: null,
  evidence: [],
} satisfies JournalFact;
