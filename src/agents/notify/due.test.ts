import { expect, test } from 'vitest';
import { journalOf } from '../journal/entries.fixture.ts';
import type { JournalFact } from '../journal/schema.ts';
import type { Project } from '../config/project.ts';
import { dueNotices } from './due.ts';

const AT = '2026-06-13T20:00:00.000Z';
const phase = (id: string) => ({ id, plan: 'p', models: undefined, proof: null });
const project = { dir: '/p', phases: [phase('one'), phase('two')] } as unknown as Project;
const ended = (id: string, index: number): JournalFact => ({
  type: 'phase.ended',
  phase: id,
  index,
  outcome: 'agreed',
  commit: 'c'.repeat(40),
  bundle: null,
});
const NEEDS: JournalFact = { type: 'agent.needs', agent: 'a', spawn: 's', what: 'login', evidence: [] };
const FAILED: JournalFact = { type: 'agent.failed', agent: 'a', spawn: 's', why: 'crashed' };
const told = (about: number): JournalFact => ({ type: 'notify.sent', about, ok: true });

const texts = (facts: readonly JournalFact[], now = AT): string[] =>
  dueNotices(project, journalOf(facts, AT), new Date(now)).map(({ event, text }) => `${event}: ${text}`);

test('a person is told of needs, failures, ends of phases and the end of all', () => {
  const facts: JournalFact[] = [
    NEEDS,
    FAILED,
    { type: 'phase.needs', phase: 'one', what: '5 rounds' },
    ended('one', 0),
    { type: 'agent.done', agent: 'a', spawn: 's' },
    ended('two', 1),
  ];
  expect(texts(facts)).toEqual([
    'needs you: a needs you: login',
    'failed: a failed: crashed',
    'needs you: phase one needs you: 5 rounds',
    'phase ended: phase one is agreed',
    'all phases done: phase two is agreed; all phases are done',
  ]);
});

test('what was told is not told again, whether the command succeeded or not', () => {
  expect(texts([NEEDS, told(0)])).toEqual([]);
  expect(texts([NEEDS, { ...told(0), ok: false } as JournalFact, FAILED])).toEqual(['failed: a failed: crashed']);
});

test('what happened long before notify was set is no news', () => {
  expect(texts([NEEDS], '2026-06-13T22:00:00.000Z')).toEqual([]);
});
