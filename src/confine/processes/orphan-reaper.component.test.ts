import { spawn } from 'node:child_process';
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

/** A harness with one command that does not die with it, for as long as our pipe is open. */
const HARNESS = `
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { startOrphanReaper } from './orphan-reaper.ts';
const [scratch, ending] = process.argv.slice(2);
const release = startOrphanReaper(scratch);
const held = openSync(scratch + '/held', 'w');
const child = spawn('sleep', ['600'], { stdio: ['ignore', held, 'ignore'], detached: true });
child.unref();
console.log(child.pid);
if (ending === 'released') release();
else setInterval(() => {}, 1000);
`;

async function harness(ending: 'killed' | 'released') {
  const outfile = join(scratch, 'harness.mjs');
  await build({
    stdin: { contents: HARNESS, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    logLevel: 'error',
  });
  const child = spawn(process.execPath, [outfile, scratch, ending], { stdio: ['ignore', 'pipe', 'inherit'] });
  const said = await new Promise<string>((resolve) => child.stdout.setEncoding('utf8').once('data', resolve));
  const sleeper = refOf(Number(said));
  if (sleeper === null) throw new Error(`no sleeper: ${said}`);
  return { child, sleeper };
}

const stillThere = ({ pid, startTime }: ProcessRef): boolean => refOf(pid)?.startTime === startTime;

it('processes with an open file of the scratch directory are killed when the harness is killed', async () => {
  const { child, sleeper } = await harness('killed');
  expect(processesWithOpenFile(join(scratch, 'held'))).toContainEqual(sleeper);
  child.kill('SIGKILL');
  await expect.poll(() => stillThere(sleeper), { timeout: 20_000 }).toBe(false);
});

it('no process is killed after the reaper is stopped', async () => {
  const { child, sleeper } = await harness('released');
  await new Promise((resolve) => child.once('close', resolve));
  await expect.poll(guardsOf, { timeout: 20_000 }).toEqual([]);
  expect(stillThere(sleeper)).toBe(true);
  process.kill(sleeper.pid, 'SIGKILL');
});

function guardsOf(): string[] {
  return readdirSync('/proc').filter((pid) => commandLine(pid).includes(`seatrial-guard\0${scratch}`));
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
