import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { AgentsPlace } from '../support/agents-place.ts';
import { BUILT_COMMAND } from '../support/seatrial.ts';

const TOML = `session_prefix = "t-"
repo = "repo"
[[phases]]
id = "one"
plan = "one.md"
proof = { test = "python3 -m pytest -q" }
[agents.builder]
kind = "loop"
role = "builder"
backend = "codex"
model = "m"
[agents.logs]
kind = "service"
command = "sleep 600"
`;

/** Signs in as the real one does, and notes what else it can see. */
const PROGRAM = `#!/bin/sh
[ "$1" = login ] || exit 1
test -t 0 && echo '{}' >"$CODEX_HOME/auth.json"
cat "$1" 2>/dev/null
ls "$HOME" >"$CODEX_HOME/home.txt"
`;

let place: AgentsPlace;
afterEach(() => place.remove());

test("an agent is signed in with its program's own dialog, in a configuration of its own", async () => {
  place = new AgentsPlace(TOML, { 'one.md': 'Do it.\n', 'repo/test_a.py': 'def test_a(): pass\n' });
  const bin = join(place.place.root, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'codex'), PROGRAM, { mode: 0o755 });
  const path = `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  Object.assign(place.env, { PATH: path });

  expect((await place.call('doctor', 'agents')).stdout).toMatch(/^fault +builder needs a repository/m);
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    ['commit', '-qm', 'Start'],
  ])
    spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: join(place.project, 'repo') });
  const before = await place.call('doctor', 'agents');
  expect(before.stdout).toMatch(
    /^warning +builder: codex is not signed in; sign it in with `seatrial login builder`$/m,
  );
  expect(before.code, before.stdout).toBe(0);
  expect(await place.call('login', 'logs')).toMatchObject({ code: 64, stderr: expect.stringContaining('no sign-in') });
  expect(await place.call('login', 'builder')).toMatchObject({ code: 64, stderr: expect.stringContaining('terminal') });

  const line = `${process.execPath} ${BUILT_COMMAND} login builder --project ${place.project}`;
  spawnSync('tmux', ['-S', place.socket, 'new-session', '-d', line], {
    env: { PATH: path, HOME: place.place.home, ...place.env },
  });
  const config = join(place.project, '.ao-state/agents/builder/config');
  await expect.poll(() => existsSync(join(config, 'auth.json')), { timeout: 60_000 }).toBe(true);
  await expect
    .poll(async () => (await place.call('doctor', 'agents')).stdout, { timeout: 60_000 })
    .toBe('ok       builder, logs can be started\n');
}, 180_000);
