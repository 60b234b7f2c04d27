import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loadProject } from '../config/load.ts';
import type { Watch } from '../config/project.ts';
import { FakeHost } from '../host/fake-host.fixture.ts';
import type { SessionFacts } from '../host/port.ts';
import { AGENT } from './agent.fixture.ts';
import { Observer } from './observe.ts';

/** Looks at a pane in which this script has long been running below the program. */
function paneWith(script: string, watch: Watch): () => Promise<readonly string[]> {
  const dir = mkdtempSync(join(tmpdir(), 'seatrial-observe-'));
  writeFileSync(join(dir, 'agents.toml'), 'session_prefix = "t-"\n[agents.a]\nkind = "service"\ncommand = "true"\n');
  const program = spawn('sh', ['-c', `(${script}) & wait`], { detached: true, stdio: 'ignore' });
  onTestFinished(() => {
    if (program.pid !== undefined) process.kill(-program.pid, 'SIGKILL');
    rmSync(dir, { recursive: true });
  });
  const session: SessionFacts = {
    name: AGENT.session,
    project: null,
    spawn: 's1',
    pid: program.pid ?? 0,
    dead: null,
    createdAt: new Date(Date.now() - 60_000),
    outputAt: new Date(),
    personActiveAt: null,
    title: '',
  };
  const observer = new Observer(loadProject(dir), new FakeHost());
  const agent = { ...AGENT, backend: null, watch, stallAfterMs: 0 };
  return async () => (await observer.look(agent, session, new Date())).busyChildren;
}

/** Each compiler is gone before the next look. */
const BUILD = 'while :; do sh -c "i=0; while [ \\$i -lt 2000 ]; do i=\\$((i+1)); done"; done';

test('a build of many short-lived processes is work, although each of them has ended at the next look', async () => {
  const look = paneWith(BUILD, 'heal+stall');
  await expect.poll(look, { timeout: 60_000, interval: 1000 }).toContainEqual(expect.stringMatching(/^sh \(\d+\)$/));
});

test('a process that only waits is no work', async () => {
  const look = paneWith('sleep 600', 'heal+stall');
  await expect.poll(look, { timeout: 60_000, interval: 200 }).toEqual(['not known yet']);
  expect(await look()).toEqual([]);
});

test('of an agent that is not watched for stalls, processes are not looked at', async () => {
  const look = paneWith(BUILD, 'heal');
  expect(await look()).toEqual([]);
  expect(await look()).toEqual([]);
});
