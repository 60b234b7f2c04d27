import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { PLAYS_ALL } from '../src/kernel/some-of.fixture.ts';
import { PROJECT } from './support/seatrial.ts';

const KILLS = PLAYS_ALL ? 12 : 2;

/** The short form of `npm run torture`: strikes at some of the steps, and one of everything else that can go wrong. */
it(
  'whatever strikes a run at whatever step, nothing is lost, left running or falsely passed',
  { timeout: 900_000 },
  async () => {
    const args = [join(PROJECT, 'scripts/torture.mjs'), '--kills', String(KILLS), '--seed', '1', '--quiet'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (data) => (text += data));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code, text).toBe(0);
    const total = /^total +(\d+) +\d+ +\d+ +0 +0 +0 +0$/m.exec(text)?.[1];
    const others = process.getuid?.() === 0 ? 7 : 5;
    expect(Number(total), text).toBe(KILLS + others);
  },
);
