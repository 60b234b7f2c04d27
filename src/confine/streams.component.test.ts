import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from './limits/limits.ts';
import { openConfinement } from './open.ts';
import { removeScratch } from './remove-scratch.ts';
import { makeScratch } from './scratch.ts';
import type { Confinement, SandboxSpec } from './types.ts';

/** Nothing here measures time; a busy machine may take its own. */
vi.setConfig({ testTimeout: 60_000 });

let scratch: string;
let workspace: string;
beforeEach(() => {
  scratch = makeScratch();
  workspace = join(scratch, 'workspace');
  mkdirSync(workspace);
});
afterEach(() => removeScratch(scratch));

async function opened(kind: Confinement['kind']) {
  const confinement = await openConfinement({ kind, scratch });
  confinement.give(workspace);
  return (script: string, over: Partial<SandboxSpec> = {}) =>
    confinement.start({
      argv: ['/bin/sh', '-c', script],
      env: {},
      cwd: '/workspace',
      mounts: [{ source: workspace, target: '/workspace', mode: 'rw' }],
      limits: DEFAULT_LIMITS,
      timeoutMs: 30_000,
      ...over,
    });
}

describe.each(['bubblewrap', 'none'] as const)('streams of a command under %s', (kind) => {
  it('carry a gigabyte without buffering it', async () => {
    const start = await opened(kind);
    const before = process.memoryUsage().rss;
    const sandboxed = start('head -c 1073741824 /dev/zero', { outputBytes: Infinity });
    let bytes = 0;
    let most = 0;
    sandboxed.stdout.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      most = Math.max(most, process.memoryUsage.rss());
    });
    expect(await sandboxed.ended).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(bytes).toBe(2 ** 30);
    expect(most - before).toBeLessThan(200 * 2 ** 20);
  });

  it('let the command continue when the reader is destroyed', async () => {
    const start = await opened(kind);
    const sandboxed = start('head -c 20000000 /dev/zero; echo done >&2');
    sandboxed.stdout.destroy();
    expect(await text(sandboxed.stderr)).toBe('done\n');
    expect(await sandboxed.ended).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('block a command without a reader until it times out', async () => {
    const start = await opened(kind);
    const sandboxed = start('head -c 20000000 /dev/zero', { timeoutMs: 500 });
    expect(await sandboxed.ended).toMatchObject({ kind: 'timed_out' });
  });

  it('block a command whose reader has paused', async () => {
    const start = await opened(kind);
    const sandboxed = start('head -c 300000000 /dev/zero', { timeoutMs: 1500 });
    sandboxed.stdout.once('data', () => sandboxed.stdout.pause());
    expect(await sandboxed.ended).toMatchObject({ kind: 'timed_out' });
    expect(sandboxed.stdout.readableLength).toBeLessThan(2 ** 21);
  });

  it('can be read after the end', async () => {
    const start = await opened(kind);
    const sandboxed = start('head -c 60000 /dev/zero; echo late >&2; echo channel >&3', { channels: 1 });
    await sandboxed.ended;
    expect((await text(sandboxed.stdout)).length).toBe(60_000);
    expect(await text(sandboxed.stderr)).toBe('late\n');
    expect(await Promise.all(sandboxed.channels.map((channel) => text(channel)))).toEqual(['channel\n']);
  });

  it('are two-way on channels, and each direction ends separately', async () => {
    const start = await opened(kind);
    const sandboxed = start('read a <&3; read b <&4; echo "got $a" >&3; echo "got $b" >&4', { channels: 2 });
    sandboxed.channels.forEach((channel, index) => channel.write(`${index}\n`));
    expect(await Promise.all(sandboxed.channels.map((channel) => text(channel)))).toEqual(['got 0\n', 'got 1\n']);
    expect(await sandboxed.ended).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('accept writes to a command that has ended', async () => {
    const start = await opened(kind);
    const sandboxed = start('exit 0', { channels: 1 });
    await sandboxed.ended;
    sandboxed.stdin.write('too late');
    sandboxed.channels[0]?.write('too late');
    sandboxed.kill();
    expect(await sandboxed.ended).toMatchObject({ kind: 'exited', exitCode: 0 });
  });

  it('end when the command is killed immediately, and killed again', async () => {
    const start = await opened(kind);
    const sandboxed = start('sleep 60');
    sandboxed.kill();
    sandboxed.kill();
    expect(await sandboxed.ended).toMatchObject({ kind: 'killed' });
  });

  it('exist even for a command that cannot be started', async () => {
    const start = await opened(kind);
    const sandboxed = start('', { argv: ['/bin/sh', '-c', 'a\0b'], channels: 1 });
    sandboxed.stdin.end('input');
    const closed = new Promise((resolve) => sandboxed.stderr.once('close', resolve).resume());
    expect(await text(sandboxed.stdout)).toBe('');
    await closed;
    expect(await sandboxed.ended).toMatchObject({ kind: 'not_run' });
  });

  it('are not mixed up between concurrent commands', async () => {
    const start = await opened(kind);
    const numbers = Array.from({ length: 24 }, (_, index) => String(index));
    const said = await Promise.all(
      numbers.map(async (number) => {
        const sandboxed = start(`echo ${number}`);
        const [stdout] = await Promise.all([text(sandboxed.stdout), sandboxed.ended]);
        return stdout.trim();
      }),
    );
    expect(said).toEqual(numbers);
  });
});

it.each(['bubblewrap', 'none'] as const)(
  'unread output is not mixed with the output of the next command under %s',
  async (kind) => {
    const start = await opened(kind);
    // More than a reader takes at once, less than the reader and the pipe can hold.
    const first = start('head -c 70000 /dev/zero');
    await first.ended;
    const second = start('echo second');
    await second.ended;
    const [zeros, word] = await Promise.all([text(first.stdout), text(second.stdout)]);
    expect([zeros.length, word]).toEqual([70_000, 'second\n']);
  },
);

it.each(['bubblewrap', 'none'] as const)(
  'the end of a command is reported after the last of its many processes has ended under %s',
  async (kind) => {
    const sleeper = `7654${process.pid}`;
    const start = await opened(kind);
    const sandboxed = start(`i=0; while [ $i -lt 300 ]; do sleep ${sleeper} & i=$((i+1)); done; echo all; wait`);
    await new Promise((resolve) => sandboxed.stdout.once('data', resolve));
    sandboxed.kill();
    expect(await sandboxed.ended).toMatchObject({ kind: 'killed' });
    expect(commandLines().filter((line) => line.includes(sleeper))).toEqual([]);
  },
);

function commandLines(): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? [readFileSync(`/proc/${pid}/cmdline`, 'latin1')] : [];
    } catch {
      return [];
    }
  });
}

describe('an environment value', () => {
  it('cannot inject options for bubblewrap', async () => {
    const start = await opened('bubblewrap');
    const sandboxed = start('ls /outside', { env: { A: 'x\0--ro-bind\0/\0/outside' } });
    expect(await sandboxed.ended).toMatchObject({ kind: 'not_run', detail: expect.stringContaining('NUL') });
  });
});
