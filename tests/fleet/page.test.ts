import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
const socket = join(place.root, 'tmux.sock');
afterAll(() => {
  spawnSync('tmux', ['-S', socket, 'kill-server']);
  place.remove();
});

test('a project is staged, compared, cut over and brought back, as the page says', { timeout: 600_000 }, () => {
  const { status, stdout, stderr } = followPage(place, 'docs/fleet.md', {
    env: { SEATRIAL_TMUX_SOCKET: socket, XDG_RUNTIME_DIR: join(place.root, 'runtime') },
  });
  expect(status, stdout + stderr).toBe(0);
  expect(stdout).toMatch(/^OK, 2 projects$/m);
  expect(stdout).toMatch(/^OK, \d+ equal/m);
  expect(stdout).toMatch(/^unchanged since /m);
  expect(stdout).toMatch(/^rehearsed: forward and back work$/m);
  expect(stdout).toMatch(/^watchdogs: never more than 1 in \d+ looks; \d+\.\d s without one$/m);
  expect(stdout).toMatch(/^cut over$/m);
  expect(stdout).toMatch(/live is live again$/m);
  expect(stdout).toMatch(/^live +- +1\/1 +RUNNING$/m);
  expect(stdout).toMatch(/^live:\n  stopped: watchdog, helper$/m);
});
