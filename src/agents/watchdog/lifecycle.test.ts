import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { packageRoot } from '../../kernel/package-root.ts';
import { loadProject } from '../config/load.ts';
import type { AgentKind, Watch } from '../config/project.ts';
import { FakeHost } from '../host/fake-host.fixture.ts';
import { startedFact } from '../journal/entries.fixture.ts';
import { openJournal } from '../journal/store.ts';
import type { Operation } from '../lifecycle/operate.ts';
import { planUp } from '../lifecycle/up.ts';
import { stateDir } from '../protocol/paths.ts';
import { ago, CLEAN, DEAD, decideCase, type DecisionCase, DIED, NOW, TAKEN, UP } from './decide.fixture.ts';

const KINDS = ['persistent', 'loop', 'task', 'service'] as const satisfies readonly AgentKind[];
const DEFAULT_WATCH: Readonly<Record<AgentKind, Watch>> = {
  persistent: 'heal',
  loop: 'heal+stall',
  task: 'none',
  service: 'heal',
};

/** An agent of that kind with nothing but defaults. */
const of = (kind: AgentKind, given: DecisionCase = {}) =>
  decideCase({
    ...given,
    agent: {
      kind,
      role: null,
      watch: DEFAULT_WATCH[kind],
      backend: kind === 'service' ? null : 'demo',
      ...given.agent,
    },
  });
const phaseOf = (kind: AgentKind) => ({ ...startedFact, kind, phase: kind === 'loop' ? 'one' : null });
const after = (kind: AgentKind, end: typeof DIED | typeof CLEAN, more: DecisionCase = {}) =>
  of(kind, { facts: [UP, phaseOf(kind), end], session: null, ...more });
const QUIET = {
  progressAt: new Date(NOW.getTime() - 3_600_000),
  screen: { state: 'idle', evidence: 'idle', until: null },
} as const;
const quiet = (kind: AgentKind) =>
  of(kind, {
    agent: { role: kind === 'loop' ? 'builder' : null },
    facts: [UP, phaseOf(kind), TAKEN].map((fact) => ({ ...fact, happened: ago(9000) })),
    changes: QUIET,
  });
const nextPhase = (kind: AgentKind) =>
  of(kind, {
    facts: [UP, phaseOf(kind), TAKEN],
    changes: { phase: { id: 'two', plan: 'p', models: undefined, proof: null } },
  });

const RESTARTED = { do: 'start', why: 'heal: crashed' };
const AGAIN = { do: 'start', why: 'heal: exited with code 0' };

/** One check for each cell of the table "Lifecycle" in docs/agents.md, by row and kind. */
const CELLS: Readonly<Record<string, (kind: AgentKind) => void | Promise<void>>> = {
  'started by `up`': async (kind) => {
    expect(await startedBy([])).toEqual(['persistent', 'loop', 'service']);
    expect(await startedBy([kind])).toEqual([kind]);
  },
  'exits with 0': (kind) => {
    if (kind === 'task')
      expect(of('task', { facts: [UP, phaseOf('task')], session: { dead: { code: 0, signal: null } } })).toMatchObject({
        do: 'record-death',
        outcome: 'done',
      });
    else expect(after(kind, CLEAN)).toMatchObject({ ...AGAIN, resume: kind !== 'service' });
    if (kind === 'loop') expect(after(kind, CLEAN, { changes: { phase: null } })).toBeNull();
  },
  crashes: (kind) => {
    expect(of(kind, { facts: [UP, phaseOf(kind)], session: DEAD })).toMatchObject({
      do: 'record-death',
      outcome: 'died',
    });
    expect(after(kind, DIED)).toMatchObject(kind === 'task' ? { do: 'give-up' } : RESTARTED);
    if (kind === 'persistent' || kind === 'loop') expect(after(kind, DIED, { agent: { watch: 'none' } })).toBeNull();
  },
  quiet: (kind) => {
    if (kind === 'loop') expect(quiet(kind)).toMatchObject({ do: 'nudge' });
    else expect(quiet(kind)).toBeNull();
  },
  'its phase ends': (kind) => {
    if (kind === 'loop') {
      expect(nextPhase(kind)).toMatchObject({ do: 'stop', why: 'phase two' });
      const stopped = { type: 'agent.stopped', agent: 'builder', spawn: 's1', why: 'phase two' } as const;
      const phase = { id: 'two', plan: 'p', models: undefined, proof: null };
      const next = of(kind, { facts: [UP, phaseOf(kind), stopped], session: null, changes: { phase } });
      expect(next).toMatchObject({ do: 'start', why: 'phase two', resume: false });
    } else expect(nextPhase(kind)).toBeNull();
  },
  disabled: (kind) => {
    expect(after(kind, DIED, { agent: { enabled: false } })).toBeNull();
  },
  'stopped by `down`': (kind) => {
    const down = { type: 'agent.wanted', agent: 'builder', wanted: 'down', by: 'down' } as const;
    expect(of(kind, { facts: [UP, phaseOf(kind), DIED, down], session: null })).toBeNull();
  },
  'paused, and crashes': (kind) => {
    const paused = { type: 'agent.paused', agent: null, paused: true } as const;
    expect(of(kind, { facts: [UP, phaseOf(kind), DIED, paused], session: null })).toBeNull();
  },
};

async function startedBy(names: readonly string[]): Promise<string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-lifecycle-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const command = {
    persistent: 'backend = "demo"',
    loop: 'backend = "demo"',
    task: 'backend = "demo"',
    service: 'command = "true"',
  };
  const agents = KINDS.map((kind) => `[agents.${kind}]\nkind = "${kind}"\n${command[kind]}\n`).join('');
  writeFileSync(
    join(dir, 'agents.toml'),
    `session_prefix = "x-"\n[[phases]]\nid = "one"\nplan = "one.md"\nproof = { test = "true" }\n${agents}[agents.off]\nkind = "persistent"\nbackend = "demo"\nenabled = false\n`,
  );
  const project = loadProject(dir);
  const operation: Operation = {
    project,
    host: new FakeHost(),
    journal: openJournal(stateDir(project), systemClock),
    clock: systemClock,
    env: process.env,
    fenceName: 'watchdog-test',
    lockPath: join(dir, 'lock'),
  };
  return (await planUp(operation, { names, mode: null, checks: { mayLand: () => true, tell: () => {} } })).agents.map(
    ({ name }) => name,
  );
}

/** The rows of the table, without its head. */
function documentedRows(): readonly (readonly string[])[] {
  const page = readFileSync(join(packageRoot(), 'docs/agents.md'), 'utf8');
  const section = page.slice(page.indexOf('## Lifecycle'));
  const table = section.slice(section.indexOf('\n|'), section.indexOf('\n\n', section.indexOf('\n|') + 1));
  const rows = table
    .trim()
    .split('\n')
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  expect(rows[0]?.slice(1)).toEqual([...KINDS]);
  return rows.slice(2);
}

describe('the table of docs/agents.md', () => {
  test('has a check for every row, no row without one, and text in every cell', () => {
    const rows = documentedRows();
    expect(rows.map(([name]) => name)).toEqual(Object.keys(CELLS));
    for (const row of rows) expect(row.slice(1).filter((cell) => cell !== '')).toHaveLength(KINDS.length);
  });

  describe.each(Object.entries(CELLS))('%s', (_row, check) => {
    test.each(KINDS)('%s', async (kind) => {
      expect.hasAssertions();
      await check(kind);
    });
  });
});
