import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Place } from '../support/seatrial.ts';

let place: Place;
beforeEach(() => {
  place = new Place();
});
afterEach(() => place.remove());

test('a run that goes on is shown as running, with what happened last and no verdict', async () => {
  const task = place.task('waits', {});
  const gate = join(place.root, 'gate');
  const wait = `echo waiting; until [ -e ${gate} ]; do sleep 0.1; done; echo yes > answer.txt`;
  const engine = ['--engine', 'command', '--command', wait, '--confine', 'none'];
  const running = place.start(['run', task, ...engine]);
  await running.shows('workspace\n');
  const [run = ''] = readdirSync(place.runs).filter((name) => !name.startsWith('.'));
  const shown = await place.seatrial(['runs', 'show', run]);
  writeFileSync(gate, '');
  await running.ended;
  expect(shown.stdout).toMatch(/^RUNNING {2}waits by command for /);
  expect(shown.stdout).toContain('there is no verdict yet');
  expect(shown.stdout).not.toContain('BLOCKED');
  expect((await place.seatrial(['runs', 'show', run])).stdout).not.toContain('RUNNING');
});
