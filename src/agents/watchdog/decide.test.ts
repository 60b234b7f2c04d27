import { describe, expect, test } from 'vitest';
import type { JournalFact } from '../journal/schema.ts';
import { startedFact, type TimedFact } from '../journal/entries.fixture.ts';
import { NOW, ago, UP, DIED, CLEAN, CLAIMED, TAKEN, type DecisionCase, decideCase, DEAD } from './decide.fixture.ts';

test('a conversation that the program began is journalled', () => {
  expect(decideCase({ changes: { conversation: 'c7' } })).toEqual({ do: 'note-conversation', conversation: 'c7' });
});

test.each<[string, object, readonly TimedFact[], boolean]>([
  ['exits before it takes its kickoff, as with an unknown id', { how: 'exited', code: 1 }, [], false],
  ['exits later', { how: 'exited', code: 1 }, [TAKEN], true],
  ['is killed', {}, [], true],
])('a program that goes on with a conversation and %s', (_what, end, taken, resume) => {
  const resumed = { ...startedFact, resumed: true };
  const facts = [UP, resumed, ...taken, { ...DIED, ...end } as JournalFact];
  expect(decideCase({ facts, session: null })).toMatchObject({ do: 'start', resume });
});

test('a kickoff that was not taken twice asks for a person once, until the program works', () => {
  const pasted = { ...TAKEN, taken: false } as JournalFact;
  const needs: JournalFact = {
    type: 'agent.needs',
    agent: 'builder',
    spawn: 's1',
    what: 'kickoff not taken',
    evidence: [],
  };
  const reading = (state: 'idle' | 'working') => ({ screen: { state, evidence: 'a composer', until: null } });
  const decided = (facts: readonly TimedFact[], state: 'idle' | 'working') =>
    decideCase({ facts: [UP, startedFact, pasted, ...facts], changes: reading(state) })?.do ?? null;
  expect([decided([], 'idle'), decided([needs], 'idle'), decided([needs], 'working')]).toEqual([
    'note-needs',
    null,
    'note-recovered',
  ]);
});

describe('what ended', () => {
  test('is recorded first, with how it ended', () => {
    expect(decideCase({ session: DEAD })).toMatchObject({ do: 'record-death', outcome: 'died' });
    expect(decideCase({ session: null })).toMatchObject({ do: 'record-death', evidence: ['the session is gone'] });
  });

  test('has its conversation journalled before that, so that the next start goes on with it', () => {
    const changes = { conversation: 'c7' };
    expect(decideCase({ session: DEAD, changes })).toEqual({ do: 'note-conversation', conversation: 'c7' });
  });

  test('is not a start whose session is only being created', () => {
    const just = [UP, startedFact].map((fact) => ({ ...fact, happened: ago(1) }));
    expect(decideCase({ facts: just, session: null })).toBeNull();
  });

  describe('in the journal, while its session lives because two started the agent at once,', () => {
    const second: JournalFact = { ...startedFact, spawn: 's2' };
    const stopped: JournalFact = { type: 'agent.stopped', agent: 'builder', spawn: 's2', why: 'heal: not started' };
    test.each<[string, DecisionCase, object | null]>([
      [
        'is ended and started again',
        { facts: [UP, startedFact, second, stopped] },
        { do: 'stop-earlier', spawn: 's1' },
      ],
      [
        'is ended although its successor is believed to live',
        { facts: [UP, startedFact, second] },
        { do: 'stop-earlier' },
      ],
      [
        'is started again once it is gone',
        { facts: [UP, startedFact, second, stopped], session: null },
        { do: 'start' },
      ],
      ['is left alone if the journal does not know it', { facts: [UP, startedFact], session: { spawn: 's9' } }, null],
      [
        'is left alone while a person types there',
        { facts: [UP, startedFact, second], session: { personActiveAt: NOW } },
        null,
      ],
    ])('%s', (_what, given, expected) => {
      expect({ action: decideCase(given) }).toMatchObject({ action: expected });
    });
  });

  test.each<[string, DecisionCase, object | null]>([
    ['a crashed loop starts at once, with its conversation', {}, { do: 'start', why: 'heal: crashed', resume: true }],
    [
      'a loop that exited starts again while its phase is open',
      { facts: [UP, startedFact, CLEAN] },
      { do: 'start', resume: true },
    ],
    ['a crashed agent that is not watched stays down', { agent: { watch: 'none' } }, null],
    ['a crashed task is never restarted', { agent: { kind: 'task', watch: 'heal' } }, { do: 'give-up' }],
    ['a service starts again without a conversation', { agent: { kind: 'service' } }, { do: 'start', resume: false }],
    ['a disabled agent is never healed', { agent: { enabled: false } }, null],
    [
      'one that a person stopped stays down',
      { facts: [UP, startedFact, DIED, { type: 'agent.wanted', agent: 'builder', wanted: 'down', by: 'down' }] },
      null,
    ],
    [
      'a paused one is left alone',
      { facts: [UP, startedFact, DIED, { type: 'agent.paused', agent: null, paused: true }] },
      null,
    ],
    ['a loop is not started onto finished work', { changes: { phase: null } }, null],
    [
      'a loop of an earlier phase starts anew for the open one',
      { facts: [UP, { ...startedFact, phase: 'zero' }, DIED] },
      { do: 'start', why: 'phase one', resume: false },
    ],
    [
      'a loop stays parked while its phase needs a person',
      { facts: [UP, startedFact, DIED, { type: 'phase.needs', phase: 'one', what: '5 rounds' }] },
      null,
    ],
    [
      'what was stopped for a limit that is over goes on with its conversation',
      { facts: [UP, startedFact, { type: 'agent.stopped', agent: 'builder', spawn: 's1', why: 'limit over' }] },
      { do: 'start', resume: true },
    ],
  ])('%s', (_what, given, expected) => {
    const action = decideCase({ facts: [UP, startedFact, DIED], session: DEAD, ...given });
    expect({ action }).toMatchObject({ action: expected });
  });

  const heal = (at: number, spawn: string) => ({ ...startedFact, spawn, why: 'heal: crashed', happened: ago(at) });

  test('the second restart waits a second, the third two, the fourth four', () => {
    const waits = [1, 2, 3].map((count) => {
      const spawns = Array.from({ length: count }, (_, at) => heal(100 - at, `h${at}`));
      const last = { ...DIED, spawn: `h${count - 1}`, happened: ago(0.5) };
      const action = decideCase({ facts: [UP, startedFact, ...spawns, last], session: DEAD });
      return action?.do === 'plan-restart' ? action.at.getTime() - NOW.getTime() + 500 : null;
    });
    expect(waits).toEqual([1000, 2000, 4000]);
  });

  test('a planned restart happens when its time has come', () => {
    const planned = (at: string) =>
      ({ type: 'restart.planned', agent: 'builder', spawn: 'h0', at, attempt: 2 }) as const;
    const facts = [UP, startedFact, heal(100, 'h0'), { ...DIED, spawn: 'h0' }];
    expect(decideCase({ facts: [...facts, planned(ago(-1))], session: DEAD })).toBeNull();
    expect(decideCase({ facts: [...facts, planned(ago(1))], session: DEAD })).toMatchObject({ do: 'start' });
  });

  test('five restarts within ten minutes are enough, by crashes and stalls together', () => {
    const spawns = Array.from({ length: 5 }, (_, at) => heal(500 - at, `h${at}`));
    const died = { ...DIED, spawn: 'h4' };
    expect(decideCase({ facts: [UP, startedFact, ...spawns, died], session: DEAD })).toMatchObject({ do: 'give-up' });
    const stalled = { type: 'agent.stopped', agent: 'builder', spawn: 'h4', why: 'heal: stalled' } as const;
    expect(decideCase({ facts: [UP, startedFact, ...spawns, stalled], session: DEAD })).toMatchObject({
      do: 'give-up',
    });
    const old = Array.from({ length: 5 }, (_, at) => heal(700 - at, `h${at}`));
    expect(decideCase({ facts: [UP, startedFact, ...old, died], session: DEAD })).toMatchObject({ do: 'start' });
  });

  test('what failed starts again when a person says up, with a new count', () => {
    const spawns = Array.from({ length: 5 }, (_, at) => heal(500 - at, `h${at}`));
    const failed = { type: 'agent.failed', agent: 'builder', spawn: 'h4', why: 'x' } as const;
    const facts = [UP, startedFact, ...spawns, { ...DIED, spawn: 'h4' }, failed];
    expect(decideCase({ facts, session: DEAD })).toBeNull();
    expect(decideCase({ facts: [...facts, UP], session: DEAD })).toMatchObject({ do: 'start' });
  });
});

describe('what lives', () => {
  const idle = { screen: { state: 'idle', evidence: 'demo: idle', until: null } } as const;
  const quiet = { progressAt: new Date(NOW.getTime() - 700_000) };
  const old = { ...startedFact, happened: ago(3000) };
  const calm = [UP, old, { ...TAKEN, happened: ago(2990) }];

  test.each<[string, DecisionCase, object | null]>([
    ['a session of another project is left alone', { session: 'foreign' }, null],
    ['a session of another start is left alone', { session: { spawn: 's9' } }, null],
    ['a working agent is left alone', {}, null],
    ['a kickoff counts as taken when it works', { facts: [UP, startedFact] }, { do: 'note-kickoff', taken: true }],
    [
      'a pasted kickoff waits for the composer',
      { facts: [UP, { ...startedFact, happened: ago(5) }], changes: { ...idle, kickoff: 'paste' } },
      { do: 'paste-kickoff' },
    ],
    [
      'a kickoff that was not taken in time is pasted',
      { facts: [UP, startedFact], changes: idle },
      { do: 'paste-kickoff' },
    ],
    [
      'a login asks for a person, and nothing is typed',
      { changes: { screen: { state: 'login', evidence: 'sign in', until: null } } },
      { do: 'note-needs', what: 'login' },
    ],
    [
      'a limit is noted with its end',
      { changes: { screen: { state: 'limit', evidence: 'l', until: NOW } } },
      { do: 'note-limit', until: NOW },
    ],
    ['a quiet agent is nudged', { facts: calm, changes: quiet }, { do: 'nudge' }],
    [
      'a quiet agent with a busy build is left alone',
      { facts: calm, changes: { ...quiet, busyChildren: ['cc'] } },
      null,
    ],
    [
      'a declared wait is left alone',
      { facts: calm, changes: { ...quiet, waitsUntil: new Date(NOW.getTime() + 1) } },
      null,
    ],
    [
      'nothing is done while a person is at the terminal',
      { facts: calm, changes: quiet, session: { personActiveAt: new Date(NOW.getTime() - 100_000) } },
      null,
    ],
    [
      'a person who left is no reason to wait',
      { facts: calm, changes: quiet, session: { personActiveAt: new Date(NOW.getTime() - 130_000) } },
      { do: 'nudge' },
    ],
    ['a watch without stall never nudges', { facts: calm, changes: quiet, agent: { watch: 'heal' } }, null],
    [
      'after a nudge without effect it is restarted',
      {
        facts: [...calm, { type: 'agent.nudged', agent: 'builder', spawn: 's1', evidence: [], happened: ago(130) }],
        changes: quiet,
      },
      { do: 'restart-stalled' },
    ],
    [
      'a builder that waits for a verdict is idle by right',
      {
        facts: [...calm, { type: 'claim.seen', phase: 'one', commit: 'a', agent: 'builder', spawn: null }],
        changes: { ...quiet, ...idle },
      },
      null,
    ],
    [
      'a loop of another phase is stopped',
      { facts: [UP, { ...startedFact, phase: 'zero' }] },
      { do: 'stop', why: 'phase one' },
    ],
    ['a loop is stopped when all phases are done', { changes: { phase: null } }, { do: 'stop' }],
    [
      'an adversary is stopped for a claim that it was not given, though it was started after it',
      {
        agent: { role: 'adversary' },
        facts: [{ ...CLAIMED, happened: ago(4000) }, ...calm],
      },
      { do: 'stop' },
    ],
    [
      'an adversary that was started with the claim goes on',
      {
        agent: { role: 'adversary' },
        facts: [
          { ...CLAIMED, happened: ago(4000) },
          { type: 'claim.handed', phase: 'one', commit: 'a', review_length: 0, happened: ago(3500) },
          ...calm,
        ],
      },
      null,
    ],
    [
      'an adversary is stopped for a claim that came after its start',
      {
        agent: { role: 'adversary' },
        facts: [...calm, { type: 'claim.seen', phase: 'one', commit: 'a', agent: 'builder', spawn: null }],
      },
      { do: 'stop' },
    ],
  ])('%s', (_what, given, expected) => {
    const action = decideCase(given);
    expect({ action }).toMatchObject({ action: expected });
  });

  describe('a limit that is over', () => {
    const limited = { type: 'agent.limited' as const, agent: 'builder', spawn: 's1', until: ago(10), evidence: [] };
    const screen = { screen: { state: 'limit', evidence: 'l', until: null } } as const;
    test.each([
      ['auto', { do: 'stop', why: 'limit over' }],
      ['ask', { do: 'note-needs', what: 'limit over' }],
      ['off', null],
    ] as const)('with resume = %s', (resume, expected) => {
      const action = decideCase({ facts: [...calm, limited], agent: { resume }, changes: screen });
      expect({ action }).toMatchObject({ action: expected });
    });

    test('is not resumed more often than allowed', () => {
      const again = ['r1', 'r2'].map((spawn) => ({ ...startedFact, spawn, why: 'limit over', happened: ago(3000) }));
      const facts = [UP, startedFact, ...again, { ...limited, spawn: 'r2' }];
      expect(decideCase({ facts, session: { spawn: 'r2' }, changes: screen })).toMatchObject({
        what: 'too many resumes',
      });
    });
  });
});
