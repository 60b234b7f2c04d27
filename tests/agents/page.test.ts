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

test('two demo agents go through three phases by themselves, as the page says', { timeout: 1_800_000 }, () => {
  const ended = followPage(place, 'docs/agents.md', {
    env: {
      SEATRIAL_TMUX_SOCKET: socket,
      XDG_RUNTIME_DIR: join(place.root, 'runtime'),
    },
  });
  expect(ended.status, ended.stderr).toBe(0);
  const { stdout } = ended;
  expect(stdout).toMatch(/^phase: initials \[3\/3\] plan=plans\/initials\.md \(done\)$/m);
  // The first attempt was wrong, and only the adversary noticed.
  expect(stdout.match(/verdict FAIL on /g)).toHaveLength(1);
  expect(stdout.match(/verdict PASS on /g)).toHaveLength(3);
  expect(stdout.match(/ended: proven with /g)).toHaveLength(3);
  expect(stdout.match(/^ok: 3 runs verified/gm) ?? stdout).toHaveLength(1);
  expect(stdout).toMatch(/^stopped: watchdog$/m);
});
