import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { processesWithOpenFile } from './open-files.ts';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { type ProcessRef, refOf } from './process-life.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';

let scratch: string;
beforeEach(() => (scratch = makeScratch()));
afterEach(() => removeScratch(scratch));

/** A harness with one command for each ending, which does not die with it. */
const HARNESS = `
import { spawn } from 'node:child_process';
import { mkdirSync, openSync } from 'node:fs';
import { startOrphanReaper } from './orphan-reaper.ts';
const [scratch, ...endings] = process.argv.slice(2);
const sleepers = endings.map((ending, index) => {
  const dir = scratch + '/' + index;
  mkdirSync(dir);
  const release = startOrphanReaper(dir);
  const child = spawn('sleep', ['600'], { stdio: ['ignore', openSync(dir + '/held', 'w'), 'ignore'], detached: true });
  child.unref();
  return { pid: child.pid, release };
});
endings.forEach((ending, index) => ending === 'released' && sleepers[index].release());
console.log(sleepers.map(({ pid }) => pid).join(' '));
if (endings.includes('killed')) setInterval(() => {}, 1000);
`;

async function harness(...endings: readonly ('killed' | 'released')[]) {
  const outfile = join(scratch, 'harness.mjs');
  await build({
    stdin: { contents: HARNESS, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile, scratch, ...endings], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const sleepers = said
    .trim()
    .split(' ')
    .map((pid) => refOf(Number(pid)));
  return { child, sleepers: sleepers.filter((sleeper) => sleeper !== null) };
}

const stillThere = ({ pid, startTime }: ProcessRef): boolean => refOf(pid)?.startTime === startTime;

it('processes with an open file of a scratch directory are killed when the harness is killed, those of runs that have ended are not', async () => {
  const { child, sleepers } = await harness('killed', 'released', 'killed');
  expect(processesWithOpenFile(join(scratch, '0', 'held'))).toContainEqual(sleepers[0]);
  child.kill('SIGKILL');
  await expect.poll(() => sleepers.map(stillThere), { timeout: 20_000 }).toEqual([false, true, false]);
  await expect.poll(() => guardsOf(child), { timeout: 20_000 }).toEqual([]);
  expect(sleepers.map(stillThere)).toEqual([false, true, false]);
  for (const { pid } of sleepers.filter(stillThere)) process.kill(pid, 'SIGKILL');
});

it('no process is killed after the reaper is stopped', async () => {
  const { child, sleepers } = await harness('released');
  await new Promise((resolve) => child.once('close', resolve));
  await expect.poll(() => guardsOf(child), { timeout: 20_000 }).toEqual([]);
  expect(sleepers.map(stillThere)).toEqual([true]);
  for (const { pid } of sleepers) process.kill(pid, 'SIGKILL');
});

function guardsOf({ pid: harnessPid }: ChildProcess): string[] {
  return readdirSync('/proc').filter((pid) => commandLine(pid).includes(`seatrial-guard\0${harnessPid}\0`));
}

function commandLine(pid: string): string {
  try {
    return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'latin1') : '';
  } catch {
    return ''; // gone in between
  }
}

it('a bubblewrap that is killed while it starts ends its command as not run', async () => {
  const workspace = join(scratch, 'workspace');
  mkdirSync(workspace);
  const confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  for (let round = 0; round < 15; round += 1) {
    const sandboxed = confinement.start({
      argv: ['/bin/sh', '-c', 'sleep 600'],
      env: {},
      cwd: '/workspace',
      mounts: [{ source: workspace, target: '/workspace', mode: 'ro' }],
      limits: DEFAULT_LIMITS,
      timeoutMs: 600_000,
    });
    sandboxed.stdin.end();
    // Right after it has created its child, which has not set its parent-death signal yet.
    const [bwrap = 0] = await childrenOf(process.pid, 'bwrap');
    await childrenOf(bwrap, 'bwrap');
    process.kill(bwrap, 'SIGKILL');
    const [, , end] = await Promise.all([text(sandboxed.stdout), text(sandboxed.stderr), sandboxed.ended]);
    expect(end.kind).toBe('not_run');
  }
});

/** Waits for one. */
async function childrenOf(pid: number, name: string): Promise<number[]> {
  for (;;) {
    await new Promise((resolve) => setImmediate(resolve));
    const pids = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number);
    const found = pids.filter((child) => child > 0 && nameOf(child) === name);
    if (found.length > 0) return found;
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return '';
  }
}
