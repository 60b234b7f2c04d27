import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Duplex } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, expect, test } from 'vitest';

const WORKER = fileURLToPath(new URL('drivers/worker.mjs', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'seatrial-worker-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test.each([
  ['module', 'later.mjs', 'export const isReady = () => ready;'],
  ['commonjs', 'later.cjs', 'exports.isReady = () => ready;'],
])('a %s is called in the turn of the event loop that loads it', async (format, file, exported) => {
  writeFileSync(join(dir, file), `let ready = false;\nsetImmediate(() => { ready = true; });\n${exported}\n`);
  const worker = spawn(process.execPath, [WORKER], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] });
  const ended = once(worker, 'exit');
  const wire = worker.stdio[3] as Duplex;
  for (const asked of [{ file }, { file, path: ['isReady'], args: [] }]) wire.write(`${JSON.stringify(asked)}\n`);
  const answers: unknown[] = [];
  for await (const line of createInterface({ input: wire })) if (answers.push(JSON.parse(line)) === 2) break;
  wire.end();
  await ended;
  expect(answers).toMatchObject([{ format, shapes: { isReady: { f: 1 } } }, { v: false }]);
});
