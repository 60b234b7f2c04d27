import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openConfinement } from '../open.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';
import type { Confinement, SandboxResult } from '../types.ts';
import { DEFAULT_LIMITS } from './limits.ts';

const LIMIT = 256 * 1024 ** 2;

const scratch = makeScratch();
const workspace = join(scratch, 'workspace');
let confinement: Confinement;
beforeAll(async () => {
  mkdirSync(workspace);
  confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  confinement.give(workspace);
});
afterAll(() => removeScratch(scratch));

async function python(script: string): Promise<SandboxResult & { readonly stdout: string }> {
  const command = confinement.start({
    argv: ['python3', '-c', script],
    env: {},
    cwd: '/workspace',
    mounts: [{ source: workspace, target: '/workspace', mode: 'rw' }],
    limits: { ...DEFAULT_LIMITS, memory_bytes: LIMIT },
    timeoutMs: 60_000,
  });
  command.stdin.end();
  command.stderr.resume();
  const [stdout, end] = await Promise.all([text(command.stdout), command.ended]);
  return { ...end, stdout };
}

/** Where there is a memory cgroup, the kernel kills a process of the command instead. */
const isStopped = (end: SandboxResult): boolean =>
  (end.kind === 'over_limit' && end.limit === 'memory') || (end.kind === 'exited' && end.exitCode !== 0);

describe('the memory limit', () => {
  it('ends one process that uses too much', async () => {
    const end = await python('import time; x = b"x" * (400 << 20); print("has it", flush=True); time.sleep(60)');
    expect([end.kind, isStopped(end)]).toEqual([end.kind, true]);
  });

  it('counts all processes together', async () => {
    const end = await python(`
import os, time
for n in range(4):
    if os.fork() == 0:
        x = b"x" * (100 << 20)
        time.sleep(60)
os.wait(); raise SystemExit(9)
`);
    expect([end.kind, isStopped(end)]).toEqual([end.kind, true]);
  });

  it('counts processes that have left their parent, and files in memory', async () => {
    const end = await python(`
import os, time
if os.fork() == 0:
    os.setsid()
    if os.fork() > 0: os._exit(0)
    fds = []
    for n in range(8):
        fds.append(os.memfd_create("hidden"))
        for chunk in range(50): os.write(fds[-1], b"x" * (1 << 20))
    time.sleep(60)
time.sleep(60)
`);
    expect([end.kind, isStopped(end)]).toEqual([end.kind, true]);
  });

  it('counts a process whose first thread has ended', async () => {
    const end = await python(`
import ctypes, os, threading, time
def hog():
    time.sleep(0.2)
    x = b"x" * (400 << 20)
    time.sleep(60)
if os.fork() == 0:
    threading.Thread(target=hog).start()
    ctypes.CDLL(None).syscall({"x86_64": 60, "aarch64": 93}[os.uname().machine], 0)
time.sleep(60)
`);
    expect([end.kind, isStopped(end)]).toEqual([end.kind, true]);
  });

  it('counts files in memory that many open files hide', async () => {
    const end = await python(`
import os, time
fds = [os.memfd_create("hidden") for n in range(8)]
for n in range(8):
    if os.fork() == 0:
        for copy in range(4000): os.dup(0)
        time.sleep(60)
for fd in fds:
    for chunk in range(50): os.write(fd, b"x" * (1 << 20))
time.sleep(60)
`);
    expect([end.kind, isStopped(end)]).toEqual([end.kind, true]);
  });

  it('counts pages that processes share once', async () => {
    const end = await python(`
import os, time
x = b"x" * (120 << 20)
children = []
for n in range(6):
    pid = os.fork()
    if pid == 0:
        time.sleep(1.5); os._exit(0)
    children.append(pid)
for pid in children: os.waitpid(pid, 0)
print("done")
`);
    expect(end).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'done\n' });
  });

  it('does not count addresses that are only reserved', async () => {
    const end = await python(`
import mmap, time
m = mmap.mmap(-1, 1 << 40, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | 0x4000)
m[0] = 1
time.sleep(0.5)
print("done")
`);
    expect(end).toMatchObject({ kind: 'exited', exitCode: 0, stdout: 'done\n' });
  });

  it('is in the report, as enforced', () => {
    expect(confinement.describe()).toMatchObject({ limits: { memory_bytes: DEFAULT_LIMITS.memory_bytes } });
    expect(confinement.describe().not_enforced).not.toContain('memory');
  });
});
