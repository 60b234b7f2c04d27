/**
 * `node bench/fleet.mjs` times `fleet status` over 100 projects with two living sessions each, on a tmux server of its own, beside 100 calls of
 * `status`. Prints medians and their ratio. Exits with 1 if the fleet takes a second or more.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECTS = 100;
const ROUNDS = 5;
const MAX_MS = 1000;
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'seatrial-bench-fleet-'));
const socket = join(dir, 'tmux.sock');
const env = { PATH: process.env.PATH, HOME: dir, SEATRIAL_TMUX_SOCKET: socket };
const names = Array.from({ length: PROJECTS }, (_, index) => `p${index}`);

const timed = (cwd, ...args) => {
  const begun = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(ROOT, 'dist/seatrial.js'), ...args], { cwd, env });
  if (status !== 0) throw new Error(String(stderr));
  return performance.now() - begun;
};
const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

try {
  for (const name of names) {
    mkdirSync(join(dir, name));
    const agents = ['one', 'two'].map((agent) => `[agents.${agent}]\nkind = "service"\ncommand = "sleep 600"\n`);
    writeFileSync(join(dir, name, 'agents.toml'), `session_prefix = "${name}-"\n${agents.join('')}`);
    for (const agent of ['one', 'two'])
      spawnSync('tmux', ['-S', socket, 'new-session', '-d', '-s', `${name}-${agent}`, 'exec sleep 600']);
  }
  writeFileSync(
    join(dir, 'fleet.toml'),
    names.map((name) => `[[projects]]\nname = "${name}"\npath = "${name}"\n`).join(''),
  );
  const fleet = median(Array.from({ length: ROUNDS }, () => timed(dir, 'fleet', 'status')));
  const one = median(names.slice(0, ROUNDS).map((name) => timed(join(dir, name), 'status')));
  console.log(
    `fleet status, ${PROJECTS} projects: ${fleet.toFixed(0)} ms; status of one: ${one.toFixed(0)} ms; ratio ${(fleet / one).toFixed(2)}`,
  );
  process.exitCode = fleet < MAX_MS ? 0 : 1;
} finally {
  spawnSync('tmux', ['-S', socket, 'kill-server']);
  rmSync(dir, { recursive: true, force: true });
}
