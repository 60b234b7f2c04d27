import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PROJECT } from '../support/seatrial.ts';

/** The short form of `npm run torture -- agents`. */
const KILLS = 5;

test(
  'whatever is killed whenever, the phases end once each, in order, and no work is lost',
  { timeout: 900_000 },
  async () => {
    const args = ['agents', '--kills', String(KILLS), '--per-project', '5', '--jobs', '1', '--seed', '7', '--quiet'];
    const child = spawn(process.execPath, [join(PROJECT, 'scripts/torture.mjs'), ...args]);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (data) => (text += data));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect(code, text).toBe(0);
    expect(text).toMatch(/^5 kills \(.*\): held in /m);
  },
);
