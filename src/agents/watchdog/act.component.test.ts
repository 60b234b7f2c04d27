import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { loadProject } from '../config/load.ts';
import { FakeHost } from '../host/fake-host.fixture.ts';
import { foldJournal } from '../journal/fold.ts';
import { openJournal } from '../journal/store.ts';
import { startAgent } from '../lifecycle/start.ts';
import { stateDir } from '../protocol/paths.ts';
import { act } from './act.ts';

const TOML = `session_prefix = "x-"
[agents.worker]
kind = "persistent"
backend = "command"
command = "sleep 600"
`;

test('a dead session that two starts at once left behind does not keep its agent from being healed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-act-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  writeFileSync(join(dir, 'agents.toml'), TOML);
  const project = loadProject(dir);
  const [agent] = project.agents;
  if (agent === undefined) throw new Error('no agent');
  const host = new FakeHost();
  const journal = openJournal(stateDir(project), systemClock);
  const fence = { name: 'watchdog-test', value: 1 };
  const request = { project, agent, phase: null, base: null, why: 'up', conversation: null, fence: null };
  // The session of one start, which dies, and the fact of another.
  await host.create({
    name: 'x-worker',
    project: project.id,
    spawn: 'first',
    cwd: '/',
    argv: ['exit', '1'],
    fence: null,
  });
  expect(await host.raiseFence(fence)).toBe(true);
  const second = await startAgent(request, host, journal);
  expect(second.result.kind).toBe('taken');

  const history = foldJournal(journal.read()).agents.get('worker');
  if (history === undefined) throw new Error('no history');
  const facts = {
    agent,
    history,
    session: null,
    phase: null,
    phaseHistory: null,
    paused: false,
    screen: null,
    kickoff: null,
    kickoffSeen: false,
    conversation: null,
    progressAt: new Date(0),
    busyChildren: [],
    waitsUntil: null,
  };
  await act({ do: 'start', why: 'heal', resume: false }, facts, {
    project,
    host,
    journal,
    fence,
    phase: null,
    base: null,
  });
  const view = await host.list();
  const session = view.kind === 'present' ? view.sessions.get('x-worker') : undefined;
  expect(session).toMatchObject({ dead: null });
  expect(session?.spawn).not.toBe('first');
});
