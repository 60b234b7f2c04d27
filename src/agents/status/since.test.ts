import { expect, test } from 'vitest';
import { journalOf, startedFact } from '../journal/entries.fixture.ts';
import { reportSince, sinceLines } from './since.ts';

const at = (minute: number): string => `2026-06-13T20:${String(minute).padStart(2, '0')}:00.000Z`;
const C = 'c'.repeat(40);

const ENTRIES = journalOf(
  [
    { ...startedFact, happened: at(0) },
    { type: 'agent.needs', agent: 'builder', spawn: 's1', what: 'login', evidence: [], happened: at(5) },
    { type: 'agent.recovered', agent: 'builder', spawn: 's1', evidence: [], happened: at(12) },
    { ...startedFact, spawn: 's2', why: 'heal: crashed', happened: at(20) },
    { type: 'verdict.seen', phase: 'one', commit: C, verdict: 'FAIL', text: '', happened: at(25) },
    { type: 'agent.limited', agent: 'builder', spawn: 's2', until: null, evidence: [], happened: at(30) },
    { type: 'phase.ended', phase: 'one', index: 0, outcome: 'agreed', commit: C, bundle: null, happened: at(40) },
  ],
  at(0),
);

test('a night on one page: who needed a person for how long, restarts, limits, commits', () => {
  const report = reportSince(ENTRIES, new Date(at(1)), new Date(at(50)));
  expect(report).toMatchObject({
    rounds: 1,
    needs: [{ agent: 'builder', what: 'login', minutes: 7 }],
    heals: [{ agent: 'builder', why: 'crashed' }],
    limits: [{ agent: 'builder', minutes: 20 }],
    commits: [C],
  });
  expect(sinceLines(report)[1]).toBe('1 phase ended, 1 claim turned down, 1 restart, 0 bundles');
});

test('what lies outside of the stretch is left out', () => {
  const report = reportSince(ENTRIES, new Date(at(13)), new Date(at(19)));
  expect(report).toMatchObject({ needs: [], heals: [], phases: [], commits: [] });
});
