import { expect, test } from 'vitest';
import { journalOf, startedFact, type TimedFact } from '../journal/entries.fixture.ts';
import { newAgentHistory } from '../journal/agent-history.ts';
import { foldJournal } from '../journal/fold.ts';
import { livingSession } from '../status/seed-table.fixture.ts';
import { AGENT } from './agent.fixture.ts';
import { decideAgent } from './decide.ts';
import type { AgentAction } from './facts.ts';
import { HISTORIES, type LabelledHistory } from './histories.fixture.ts';

const START = new Date('2026-06-13T20:00:00.000Z').getTime();
const STEP_MS = 15_000;
const time = (minute: number): Date => new Date(START + minute * 60_000);

/** Resumed more often than a history needs. */
const TENACIOUS = { ...AGENT, maxResumes: 5 };

interface Done {
  readonly minute: number;
  readonly action: AgentAction['do'];
}

/** Plays a history against the deciding function, with the facts that its actions would have journalled. */
function play(history: LabelledHistory): Done[] {
  const facts: TimedFact[] = [
    { type: 'agent.wanted', agent: 'builder', wanted: 'up', by: 'up', happened: time(0).toISOString() },
    { ...startedFact, happened: time(0).toISOString() },
    {
      type: 'kickoff.delivered',
      agent: 'builder',
      spawn: 's1',
      taken: true,
      evidence: [],
      happened: time(0).toISOString(),
    },
    ...(history.claimed === true
      ? [
          {
            type: 'claim.seen',
            phase: 'one',
            commit: 'c',
            agent: 'builder',
            spawn: 's1',
            happened: time(0).toISOString(),
          } as const,
        ]
      : []),
  ];
  const done: Done[] = [];
  let progressAt = time(0);
  for (let at = START; at <= START + history.minutes * 60_000; at += STEP_MS) {
    const now = new Date(at);
    const minute = (at - START) / 60_000;
    const stretch = history.stretches.findLast(({ from }) => from <= minute) ?? history.stretches[0]!;
    if (stretch.moves === true) progressAt = now;
    const folded = foldJournal(journalOf(facts, now.toISOString()));
    const action = decideAgent(
      {
        agent: { ...TENACIOUS, role: history.role ?? 'builder' },
        history: folded.agents.get('builder') ?? newAgentHistory('builder'),
        session: livingSession('t-builder', {
          spawn: 's1',
          dead: stretch.dead === undefined ? null : { code: stretch.dead, signal: null },
          personActiveAt: stretch.person === true ? now : null,
        }),
        phase: { id: 'one', plan: 'p', models: undefined, proof: null },
        phaseHistory: folded.phases.get('one') ?? null,
        paused: false,
        screen: {
          state: stretch.screen,
          evidence: null,
          until: stretch.until === undefined ? null : time(stretch.until),
        },
        kickoff: 'argument',
        kickoffSeen: true,
        conversation: null,
        progressAt,
        busyChildren: stretch.child === undefined ? [] : [stretch.child],
        waitsUntil: stretch.waits === undefined ? null : time(stretch.waits),
      },
      now,
      1,
    );
    if (action === null) continue;
    done.push({ minute, action: action.do });
    if (action.do === 'start' || action.do === 'restart-stalled' || action.do === 'stop') return done;
    const noted = { agent: 'builder', spawn: 's1', evidence: [], happened: now.toISOString() };
    if (action.do === 'nudge') facts.push({ type: 'agent.nudged', ...noted });
    if (action.do === 'note-needs') facts.push({ type: 'agent.needs', what: action.what, ...noted });
    if (action.do === 'note-limit')
      facts.push({ type: 'agent.limited', until: action.until?.toISOString() ?? null, ...noted });
    if (action.do === 'note-recovered') facts.push({ type: 'agent.recovered', ...noted });
    if (action.do === 'record-death')
      facts.push({ type: 'agent.died', how: 'exited', code: 1, signal: null, ...noted });
  }
  return done;
}

const HEALS: ReadonlySet<AgentAction['do']> = new Set(['nudge', 'restart-stalled', 'start', 'stop', 'paste-kickoff']);

/** What was done that must not be, or not done that must be. */
function mistake(history: LabelledHistory): string | null {
  const done = play(history);
  const { label } = history;
  const did = (action: AgentAction['do'], by: number): boolean =>
    done.some((one) => one.action === action && one.minute <= by);
  const healed = done.filter(({ action }) => HEALS.has(action));
  const first = healed[0] === undefined ? '' : `${healed[0].action} at minute ${healed[0].minute}`;
  switch (label.is) {
    case 'well':
      return healed.length === 0 ? null : `false heal: ${first}`;
    case 'stalled':
      return did('nudge', label.by) && done.some(({ action }) => action === 'restart-stalled') ? null : 'missed stall';
    case 'needs a person':
      if (healed.length > 0) return `false heal: ${first}`;
      return did('note-needs', label.by) ? null : 'missed a person';
    case 'limited':
      return did('note-limit', 1) && did('stop', label.by) && healed.length === 1 ? null : 'limit not resumed';
    case 'dead':
      return did('record-death', label.by) && did('start', label.by) ? null : 'missed death';
    default:
      return label satisfies never;
  }
}

test('no false heal and no missed stall on the labelled histories', () => {
  expect(HISTORIES.length).toBeGreaterThanOrEqual(60);
  expect(new Set(HISTORIES.map(({ name }) => name)).size).toBe(HISTORIES.length);
  const mistakes = HISTORIES.flatMap((history) => {
    const what = mistake(history);
    return what === null ? [] : [`${history.name}: ${what}`];
  });
  expect(mistakes).toEqual([]);
});
