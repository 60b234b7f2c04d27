import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { portLost, withPort } from '../streams/port.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';
import { SYSTEM_PATH } from '../bwrap/system-layout.ts';
import type { SandboxSpec } from '../types.ts';
import { Audit } from './audit.ts';
import { requireTracer, withAudit } from './start.ts';

vi.setConfig({ testTimeout: 120_000 });

let scratch: string;
beforeEach(() => {
  scratch = makeScratch();
  mkdirSync(join(scratch, 'workspace'));
});
afterEach(() => removeScratch(scratch));

const PORT = 4010;

async function audited(argv: readonly string[], { port = false, killAtWord = false, env = {} } = {}) {
  const confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  confinement.give(join(scratch, 'workspace'));
  const spec: SandboxSpec = {
    argv,
    env,
    cwd: '/workspace',
    mounts: [{ source: join(scratch, 'workspace'), target: '/workspace', mode: 'rw' }],
    limits: DEFAULT_LIMITS,
    timeoutMs: 100_000,
  };
  const traced = withAudit(spec, requireTracer(SYSTEM_PATH));
  const sandbox = confinement.start(port ? withPort(traced, { dir: join(scratch, 'port'), number: PORT }) : traced);
  const audit = new Audit(sandbox, { targets: ['/srv/secret'], way: `127.0.0.1:${PORT}`, cwd: spec.cwd });
  let lost = false;
  if (port) void portLost(sandbox).then(() => (lost = true));
  let lostAtWord = false;
  sandbox.stdout.once('data', () => (lostAtWord = lost));
  if (killAtWord) sandbox.stdout.once('data', () => sandbox.kill());
  sandbox.stdin.end('told');
  const [stdout, stderr, ended] = await Promise.all([text(sandbox.stdout), text(sandbox.stderr), sandbox.ended]);
  return { ...(await audit.settle(ended)), stdout, stderr, lost, lostAtWord };
}

const shell = (script: string): string[] => ['/bin/sh', '-c', script];
const python = (script: string): string[] => ['/usr/bin/python3', '-c', script];
/** Without procps, which a small system may not have. */
const EACH_SOCAT = 'for p in /proc/[0-9]*; do [ "$(cat $p/comm 2>/dev/null)" = socat ] || continue;';
const SYSCALL = `
import ctypes, os
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    result = libc.syscall(*args)
    return result if result >= 0 else -ctypes.get_errno()
`;

const strace = spawnSync('strace', ['--version']).error === undefined;
// The number of calls differs between machines.
const calls = strace && process.arch === 'x64' && spawnSync('/usr/bin/python3', ['--version']).status === 0;

describe.skipIf(!strace)('a traced command (needs strace)', () => {
  it('has the same streams, descriptors and result as without tracing', async () => {
    const { stdout, stderr, end, cut } = await audited(shell('cat; ls /proc/self/fd; echo err >&2; exit 5'));
    expect([stdout, stderr]).toEqual(['told0\n1\n2\n3\n', 'err\n']);
    expect(end).toMatchObject({ kind: 'exited', exitCode: 5 });
    expect(cut).toBeNull();
  });

  it.each([
    ['a signal', 'kill -SEGV $$', 139],
    ['background processes', 'sleep 600 & setsid sleep 600 & exit 3', 3],
    ['a missing program', 'exec /nonexistent', 127],
  ])('ends as without tracing: %s', async (_how, script, exitCode) => {
    expect(await audited(shell(script))).toMatchObject({ end: { kind: 'exited', exitCode }, cut: null });
  });

  it('can be killed by the harness, and the trace counts as complete', async () => {
    const script = 'cat /srv/secret/a; echo word; sleep 600';
    const { end, cut, attempts } = await audited(shell(script), { killAtWord: true });
    expect([end.kind, cut, attempts.complete]).toEqual(['killed', null, true]);
    expect(attempts.paths.map(({ path }) => path)).toEqual(['/srv/secret/a']);
  });

  it('cannot supply its own strace', async () => {
    const fake = join(scratch, 'workspace/strace');
    writeFileSync(fake, '#!/bin/sh\nexit 0\n');
    chmodSync(fake, 0o755);
    const { attempts, end } = await audited(shell('cat /srv/secret/a; exit 6'), {
      env: { PATH: '/workspace:/usr/bin:/bin' },
    });
    expect([attempts.paths.length, end]).toEqual([1, expect.objectContaining({ exitCode: 6 })]);
  });

  it.each(['KILL', 'TERM', 'INT', 'HUP'])('is reported if it outlives strace: SIG%s', async (signal) => {
    const { cut, attempts } = await audited(shell(`cat /srv/secret/before; kill -${signal} $PPID; sleep 1; exit 0`));
    expect(cut?.before).toBe('end');
    expect(attempts).toMatchObject({ complete: false, paths: [{ path: '/srv/secret/before' }] });
  });

  it('is traced through 100,000 calls with a list of bounded length', async () => {
    const loop = 'i=0; while [ $i -lt 100000 ]; do [ -e /srv/secret/$i ]; i=$((i+1)); done';
    const { attempts, cut } = await audited(shell(loop));
    expect(cut).toBeNull();
    expect(attempts.paths).toHaveLength(500);
    expect(attempts.not_listed.paths).toBe(99_500);
  });

  describe.skipIf(!calls)('(needs Python on x86-64)', () => {
    it('cannot take control of strace', async () => {
      const script = `${SYSCALL}
tracer = os.getppid()
print(call(101, 0x4206, tracer, 0, 0), call(438, call(434, tracer, 0), 2, 0), call(425, 8, ctypes.create_string_buffer(256)))
`;
      const { stdout, cut } = await audited(python(script));
      // The last as if the kernel did not have it.
      expect([stdout, cut]).toEqual(['-1 -1 -38\n', null]);
    });

    it('is reported when it opens the memory of strace', async () => {
      const script = `
import os
os.chdir(f"/proc/{os.getppid()}")
try:
    open("mem", "r+b"); print("opened")
except PermissionError:
    print("refused")  # by a system that is strict about it
`;
      const { stdout, cut } = await audited(python(script));
      expect(cut?.why).toBe(stdout === 'opened\n' ? 'the memory of strace was opened' : undefined);
    });

    it('is reported when it requests a seccomp listener', async () => {
      const filter = `${SYSCALL}
import struct
code = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0x7fff0000))
program = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", 1, ctypes.addressof(code)))
print(call(317, 1, 8, ctypes.byref(program)) > 0)
`;
      const { stdout, cut } = await audited(python(filter));
      expect([stdout, cut?.before]).toEqual(['True\n', 'end']);
    });

    it('can make no file calls in a process that detaches from strace', async () => {
      const script = `${SYSCALL}
pid = call(56, 0x00800000 | 17, 0, 0, 0, 0)
if pid == 0:
    try:
        os.open("/etc/passwd", 0); os._exit(7)
    except OSError as error:
        os._exit(error.errno)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;
      expect((await audited(python(script))).stdout).toBe('38\n');
    });
  });
});

describe.skipIf(!strace)('a traced command with a port (needs strace)', () => {
  let server: Server;
  beforeEach(async () => {
    const dir = join(scratch, 'port');
    mkdirSync(dir, { mode: 0o711 });
    server = createServer((socket) => socket.once('data', (asked) => socket.end(`heard ${asked.toString()}`)));
    await new Promise<void>((resolve) => server.listen(join(dir, 'socket'), resolve));
    chmodSync(join(dir, 'socket'), 0o666);
  });
  afterEach(() => void server.close());

  it('can use the port, and connecting to it is not an attempt', async () => {
    const ask = (to: string): string => `printf one | socat -t5 - TCP:${to} 2>/dev/null`;
    const { stdout, attempts, end, cut, lostAtWord } = await audited(
      shell(
        `ls /proc/self/fd; ${ask(`127.0.0.1:${PORT}`)}; ${ask('127.0.0.1:4011')}; cat /srv/secret/a 2>/dev/null; exit 4`,
      ),
      { port: true },
    );
    expect(stdout).toBe('0\n1\n2\n3\nheard one');
    expect(lostAtWord).toBe(false);
    expect(end).toMatchObject({ kind: 'exited', exitCode: 4 });
    expect(cut).toBeNull();
    expect(attempts.connections.map(({ address, result }) => [address, result])).toEqual([
      ['127.0.0.1:4011', 'ECONNREFUSED'],
    ]);
    expect(attempts.paths.map(({ path }) => path)).toEqual(['/srv/secret/a']);
  });

  it('does not share descriptors with the relay of its port', async () => {
    const parent = "/proc/$(sed -n 's/^PPid:.//p' $p/status)";
    const { stdout } = await audited(shell(`${EACH_SOCAT} ls ${parent}/fd; done`), { port: true });
    // A shell saves descriptors above 9.
    expect(stdout.split('\n')).toContain('2');
    expect(stdout.split('\n')).not.toContain('3');
  });

  it('stays traced when it loses its port', async () => {
    const { lost, cut, attempts } = await audited(
      shell(`${EACH_SOCAT} kill $(basename $p); done; cat /srv/secret/after; exit 0`),
      { port: true },
    );
    expect([lost, cut]).toEqual([true, null]);
    expect(attempts.paths.map(({ path }) => path)).toEqual(['/srv/secret/after']);
  });
});
