import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLAYS_ALL } from '../../src/kernel/some-of.fixture.ts';
import { PROJECT } from '../support/seatrial.ts';

const SCENES = PLAYS_ALL ? 4 : 2;

/** The short form of `npm run torture -- land`. */
it(
  'whatever lands, is pushed and is killed at the same time, every commit verifies, nothing lands twice and nothing is lost',
  { timeout: 300_000 },
  () => {
    const args = [join(PROJECT, 'scripts/torture.mjs'), 'land', '--scenes', String(SCENES), '--seed', '7', '--quiet'];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    expect(status, stdout + stderr).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${SCENES} interleavings, \\d+ landings killed: held`, 'm'));
  },
);
