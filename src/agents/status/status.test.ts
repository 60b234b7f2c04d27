import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadProject } from '../config/load.ts';
import type { Project } from '../config/project.ts';
import type { HostView, SessionFacts } from '../host/port.ts';
import { diedFact, journalOf, startedFact } from '../journal/entries.fixture.ts';
import { foldJournal } from '../journal/fold.ts';
import type { JournalFact, JournalEntry } from '../journal/schema.ts';
import { computeStatus } from './decide.ts';
import { statusLines } from './render.ts';
import { livingSession, SEED_SESSIONS, SEED_STATUS, SEED_TOML } from './seed-table.fixture.ts';

function load(text: string): Project {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-status-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'agents.toml'), text);
  return loadProject(dir);
}

const present = (...sessions: readonly SessionFacts[]): HostView => ({
  kind: 'present',
  sessions: new Map(sessions.map((session) => [session.name, session])),
});

const NOW = new Date('2026-06-13T20:00:00.000Z');

const journal = (...facts: readonly JournalFact[]): JournalEntry[] => journalOf(facts, '2026-06-13T19:59:00.000Z');

test("the seed's table, field by field, from sessions that another system started", () => {
  const project = load(SEED_TOML);
  const status = computeStatus({
    project,
    index: 18,
    history: foldJournal([]),
    host: present(...SEED_SESSIONS.map((name) => livingSession(name))),
    heartbeatAgeMs: null,
  });
  const lines = statusLines(status, NOW);
  const fields = (line: string): string[] => line.split(/\s+/);
  expect(lines.map(fields)).toEqual(SEED_STATUS.trimEnd().split('\n').map(fields));
  expect(lines[1]).toBe('orchestrator  persistent  claude  claude-opus-4-8    heal        RUNNING');
  expect(lines.filter((line) => line.endsWith(' '))).toEqual([]);
  expect(status.unlisted).toEqual(['cc-ci-assistant3']);
});

const SMALL = `session_prefix = "t-"
[defaults]
backend = "demo"
[[phases]]
id = "one"
plan = "one.md"
proof = { test = "true" }
[agents.builder]
kind = "loop"
role = "builder"
[agents.chore]
kind = "task"
`;

function stateLine(facts: readonly JournalFact[], session: Partial<SessionFacts> | null, index = 0): string {
  const project = load(SMALL);
  const host =
    session === null
      ? present()
      : present(livingSession('t-builder', { project: project.id, spawn: 's1', ...session }));
  const status = computeStatus({ project, index, history: foldJournal(journal(...facts)), host, heartbeatAgeMs: null });
  return statusLines(status, NOW)[1]?.replace(/^.*heal\+stall\s+/, '') ?? '';
}

describe('the state of an agent', () => {
  const needs = {
    type: 'agent.needs' as const,
    agent: 'builder',
    spawn: 's1',
    what: 'login',
    evidence: ['sign in'],
  } satisfies JournalFact;
  const planned = {
    type: 'restart.planned' as const,
    agent: 'builder',
    spawn: 's1',
    at: '2026-06-13T20:00:40.000Z',
    attempt: 6,
  } satisfies JournalFact;
  const limited = {
    type: 'agent.limited' as const,
    agent: 'builder',
    spawn: 's1',
    until: '2026-06-14T03:10:00.000Z',
    evidence: [],
  } satisfies JournalFact;

  test.each<[string, readonly JournalFact[], Partial<SessionFacts> | null]>([
    ['RUNNING', [startedFact], {}],
    ['stopped', [startedFact], { dead: { code: 0, signal: null } }],
    ['stopped', [startedFact], null],
    ['needs you: login', [startedFact, needs], {}],
    ['waiting for limit until 03:10', [startedFact, limited], {}],
    ['stalled', [startedFact, { type: 'agent.stalled', agent: 'builder', spawn: 's1', evidence: [] }], {}],
    ['backing off 40s', [startedFact, diedFact, planned], { dead: { code: 1, signal: null } }],
    ['backing off 40s', [startedFact, diedFact, planned], null],
    [
      'failed',
      [startedFact, diedFact, { type: 'agent.failed', agent: 'builder', spawn: 's1', why: '5 crashes' }],
      null,
    ],
    ['needs you: 5 rounds', [startedFact, { type: 'phase.needs', phase: 'one', what: '5 rounds' }], null],
    // Of another start, or of a session that is not this start's: no effect.
    ['RUNNING', [startedFact, { ...needs, spawn: 's0' }], {}],
    ['RUNNING', [startedFact, needs], { spawn: 's9' }],
    ['RUNNING', [startedFact, needs], { project: 'f'.repeat(64) }],
    // What recovered or was started anew is over.
    ['RUNNING', [startedFact, needs, { type: 'agent.recovered', agent: 'builder', spawn: 's1', evidence: [] }], {}],
    ['RUNNING', [startedFact, needs, { ...startedFact, spawn: 's2' }], { spawn: 's2' }],
    // A person who wants it down ends the back-off.
    [
      'stopped',
      [startedFact, diedFact, planned, { type: 'agent.wanted', agent: 'builder', wanted: 'down', by: 'down' }],
      null,
    ],
  ])('%s', (expected, facts, session) => {
    expect(stateLine(facts, session)).toBe(expected);
  });

  test('done, of a task that ended by itself', () => {
    const project = load(SMALL);
    const facts = journal(
      { ...startedFact, agent: 'chore', kind: 'task' },
      { type: 'agent.done', agent: 'chore', spawn: 's1' },
    );
    const status = computeStatus({
      project,
      index: 0,
      history: foldJournal(facts),
      host: present(),
      heartbeatAgeMs: null,
    });
    expect(status.rows[1]?.state).toEqual({ kind: 'done' });
  });

  test('unknown when the server does not answer, whatever the journal says', () => {
    const project = load(SMALL);
    const host = { kind: 'unknown', why: 'no answer' } as const;
    const status = computeStatus({ project, index: 0, history: foldJournal([]), host, heartbeatAgeMs: null });
    expect(status.rows.map(({ state }) => state.kind)).toEqual(['unknown', 'unknown', 'unknown']);
  });
});

test('when all phases are done, the last one is shown as done', () => {
  const project = load(SMALL);
  const status = computeStatus({
    project,
    index: 1,
    history: foldJournal([]),
    host: { kind: 'absent' },
    heartbeatAgeMs: null,
  });
  expect(statusLines(status, NOW)[0]).toBe('phase: one [1/1] plan=one.md (done)');
});
