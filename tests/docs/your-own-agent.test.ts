import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';
import { followPage } from '../support/shell-page.ts';

const place = new Place();
afterAll(() => place.remove());

test('the page on an agent of your own works as it is written', () => {
  const ended = followPage(place, 'docs/your-own-agent.md');
  expect(ended.stdout, ended.stderr).toMatch(/^PASS .* by command/m);
  expect(ended.stdout).toMatch(/3 requests/);
  expect(ended.status, ended.stderr).toBe(0);
  const fixed = spawnSync('git', ['-C', join(place.cwd, 'shop'), 'show', 'fix:add.py'], { encoding: 'utf8' });
  expect(fixed.stdout).toContain('a + b');
});
