import { build } from 'esbuild';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { readEvents } from '../log/events.ts';
import { readLedger } from './ledger.ts';
import { withLock } from '../storage/lock.ts';
import { recoverRuns } from '../recover/recover.ts';
import { readRun } from './runs.ts';
import { type SampleSite, sampleSite } from './sample-bundle.fixture.ts';
import { verifyAll } from '../verify/verify-all.ts';

/** Behaviour across processes: one shared key, one ledger order, and locks and runs that end with their process. */
let site: SampleSite;
let program = '';

const PROGRAM = `
import { EventLog } from '../log/events.ts';
import { makeDirs } from '../storage/durable.ts';
import { loadOrCreateKey } from './keys.ts';
import { withLock } from '../storage/lock.ts';
import { beginSample, fillSample } from './sample-bundle.fixture.ts';
import { sealBundle } from './seal.ts';
import { systemClock } from '../../kernel/clock.ts';
const [what, place, home] = process.argv.slice(2);
const say = (text) => process.stdout.write(text + '\\n');
if (what === 'runs') {
  const key = loadOrCreateKey({ HOME: home });
  for (let n = 0; n < 3; n += 1) {
    const bundle = beginSample(place);
    await sealBundle({ bundle, report: fillSample(bundle), key, clock: systemClock });
  }
  say(key.keyid);
} else if (what === 'dirs') {
  for (let n = 0; n < 500; n += 1) makeDirs(place + '/' + n + '/a/b/c/d');
  say('made');
} else if (what === 'lock') {
  await withLock(place, async () => { say('held'); setInterval(() => {}, 1000); await new Promise(() => {}); });
} else if (what === 'fill') {
  const log = new EventLog(place, { clock: systemClock, startedMono: 0 });
  try {
    for (;;) log.append('engine.message', 'engine', { text: 'x'.repeat(100) });
  } catch (error) {
    say(error.message);
  }
} else {
  const bundle = beginSample(place);
  fillSample(bundle);
  say(bundle.dir);
  setInterval(() => {}, 1000);
}
`;

beforeAll(async () => {
  site = sampleSite();
  program = join(site.root, 'program.mjs');
  const { outputFiles } = await build({
    stdin: { contents: PROGRAM, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
  });
  writeFileSync(program, outputFiles[0]?.contents ?? '');
});
afterAll(() => site.remove());

function start(...args: readonly string[]): ChildProcess {
  return spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
}

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) break;
  }
  return text.trim();
}

test('processes make the same directories at the same time', async () => {
  const children = Array.from({ length: 4 }, () => start('dirs', join(site.root, 'dirs')));
  expect(await Promise.all(children.map(firstLine))).toEqual(Array.from({ length: 4 }, () => 'made'));
});

test('processes that start together share one key, and their runs one ledger', async () => {
  const runsDir = join(site.root, 'shared');
  const home = join(site.root, 'fresh-home');
  const children = Array.from({ length: 4 }, () => start('runs', runsDir, home));
  const keyids = await Promise.all(children.map(firstLine));
  expect(keyids[0]).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(keyids).size).toBe(1);
  expect(readLedger(runsDir)).toHaveLength(12);
  expect(verifyAll(runsDir, { trusted: [], now: new Date() })).toMatchObject({ ok: true });
});

test('a lock is released when its holder is killed, and not before', async () => {
  const file = join(site.root, 'lock');
  const holder = start('lock', file);
  expect(await firstLine(holder)).toBe('held');
  await expect(withLock(file, () => 'mine', 200)).rejects.toThrow(/cannot get the lock .* within 0.2 s/);
  holder.kill('SIGKILL');
  expect(await withLock(file, () => 'mine')).toBe('mine');
});

test('distinguishes a killed run from a running one, and recovers it', async () => {
  const runner = start('die', site.runsDir);
  const dir = await firstLine(runner);
  expect(readRun(dir).state).toBe('running');
  const exited = once(runner, 'exit');
  runner.kill('SIGKILL');
  await exited;
  expect(readRun(dir).state).toBe('interrupted');
  const done = await recoverRuns(site.runsDir, { key: site.key, clock: systemClock });
  expect(done).toMatchObject([{ did: 'sealed' }]);
  expect(readRun(dir)).toMatchObject({
    state: 'sealed',
    report: { status: 'blocked', failure_reason: 'run interrupted' },
  });
});

test('at the file size limit, the file keeps every complete event and no partial one', async () => {
  const path = join(site.root, 'filling.jsonl');
  const line = 'ulimit -f 4 && exec "$@"';
  const child = spawn('sh', ['-c', line, 'sh', process.execPath, program, 'fill', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  expect(await firstLine(child)).toMatch(/^artifact write failed: .*filling\.jsonl: the file size limit is reached/);
  expect(readEvents(path).length).toBeGreaterThan(3);
});
