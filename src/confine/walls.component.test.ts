import { spawn } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attempt, AttemptPlan, AttemptReport, AttemptResult } from './attempts.fixture.ts';

const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;
const CANARY = 'canary-5b1f0c';
/** Arguments that no other process on the machine has. */
const SLEEPER = `9876${process.pid}`;

/**
 * Descriptors that the harness is born with: low ones, which Node closes on exec by itself, and some that it does not.
 */
const STRAY = Array.from({ length: 60 }, (_, index) => (index < 3 || index % 25 === 24 ? 'pipe' : 'ignore'));

let dir: string;
let driver: string;
let key: string;
let server: Server;
let port: number;
let connections = 0;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-test-'));
  chmodSync(dir, 0o755);
  mkdirSync(join(dir, 'tmp'));
  chmodSync(join(dir, 'tmp'), 0o1777);
  driver = join(dir, 'attempts.mjs');
  key = join(dir, 'harness-key');
  writeFileSync(key, 'secret', { mode: 0o644 });
  await build({
    entryPoints: [join(import.meta.dirname, 'attempts.fixture.ts')],
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile: driver,
    logLevel: 'error',
  });
  server = createServer((socket) => {
    connections++;
    socket.end('hello');
  });
  port = await new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
});

afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true, force: true });
});

function startDriver(plan: AttemptPlan, asNobody: boolean) {
  const { NODE_EXTRA_CA_CERTS: _slow, ...env } = process.env;
  return spawn(process.execPath, [driver, JSON.stringify(plan)], {
    cwd: dir,
    env: { ...env, CANARY, TMPDIR: join(dir, 'tmp') }, // A killed driver leaves its scratch directory there.
    stdio: ['ignore', 'pipe', 'inherit', ...STRAY],
    ...(asNobody ? { uid: NOBODY, gid: NOBODY } : {}),
  });
}

async function report(plan: AttemptPlan, asNobody: boolean): Promise<AttemptReport> {
  const child = startDriver(plan, asNobody);
  return JSON.parse(child.stdout === null ? '' : await text(child.stdout));
}

function processesWith(argument: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0').includes(argument);
    } catch {
      return false;
    }
  });
}

const attempts = (): Record<string, Attempt> => ({
  shadow: { script: 'cat /etc/shadow' },
  rootHome: { script: 'ls -a /root' },
  key: { script: `cat ${key}` },
  writeSystem: {
    script: 'for p in / /etc /usr /usr/bin /dev /proc/sys/kernel; do touch $p/x && echo wrote $p; done; echo tried',
  },
  network: {
    script: `cat </dev/tcp/127.0.0.1/${port}; echo tried`,
    argv: ['/bin/bash', '-c', `cat </dev/tcp/127.0.0.1/${port}; echo tried`],
  },
  processes: { script: `ls /proc | grep -c '^[0-9]'; kill -0 ${process.pid} && echo reached` },
  environment: { script: 'env; cat /proc/1/environ' },
  firstProcess: { script: "tr '\\0' ' ' </proc/1/cmdline" },
  descriptors: { script: 'ls /proc/self/fd' },
  nested: { script: 'unshare -U true && echo nested; unshare -r true && echo nested; echo tried' },
  capabilities: { script: 'grep Cap /proc/self/status' },
  identity: { script: 'id -u; touch /workspace/mine && echo writable' },
  forkBomb: { script: 'i=0; while [ $i -lt 300 ]; do sleep 60 & i=$((i+1)); echo $i; done', limits: { processes: 64 } },
  bigFile: {
    script: 'head -c 3000000 /dev/zero >/workspace/big; wc -c </workspace/big',
    limits: { file_bytes: 1_000_000 },
  },
  bigTmp: { script: 'head -c 9000000 /dev/zero >/tmp/big && echo fits', limits: { tmp_bytes: 2 ** 20 } },
  memory: {
    script: 'python3 -c "import time; x = bytes(1 << 20) * 400; time.sleep(60)"',
    limits: { memory_bytes: 128 * 1024 ** 2 },
  },
  output: {
    script: 'while :; do echo yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy; done',
    outputBytes: 100_000,
  },
  lateDaemon: { script: `setsid sh -c 'trap "" TERM HUP; exec sleep ${SLEEPER}' >/dev/null 2>&1 & echo started` },
  heldOutput: { script: `(trap "" TERM; sleep ${SLEEPER}) & exit 7` },
  trapping: { script: `trap "" TERM INT HUP; setsid sleep ${SLEEPER} & while :; do sleep 1; done`, timeoutMs: 700 },
  closing: { script: `exec 0<&- 1>&- 2>&-; exec sleep ${SLEEPER}`, timeoutMs: 700 },
  closedDir: { script: 'mkdir -p closed/inner && chmod 0 closed && echo closed' },
  missing: { script: '', argv: ['/nonexistent'] },
  exitOne: { script: 'exit 1' },
  exit127: { script: 'exit 127' },
  killedItself: { script: 'kill -9 $$' },
  reopen: { script: 'echo out >/dev/stdout; echo err >/dev/stderr' },
  disk: {
    script: 'i=0; while :; do head -c 1000000 /dev/zero >/workspace/f$i; i=$((i+1)); [ $i -lt 40 ] || sleep 60; done',
    limits: { disk_bytes: 20_000_000 },
  },
  closedDisk: {
    // Repeated, so that space freed by other processes meanwhile does not compensate.
    script:
      'i=0; while [ $i -lt 20 ]; do mkdir shut$i && head -c 60000000 /dev/zero >shut$i/big && chmod 0 shut$i; i=$((i+1)); done; sleep 60',
    limits: { disk_bytes: 20_000_000 },
  },
  deepDisk: {
    script:
      'n=$(printf %0200d 1); i=0; while [ $i -lt 25 ]; do mkdir $n && cd -P $n || exit 9; i=$((i+1)); done; sleep 60',
  },
});

const users = isRoot ? (['root', 'a plain user'] as const) : (['a plain user'] as const);

describe.each(users)('a confined command started by %s', (user) => {
  let done: AttemptReport;
  const result = (name: string): AttemptResult => {
    const found = done.results[name];
    if (found === undefined) throw new Error(`no attempt ${name}`);
    return found;
  };

  beforeAll(async () => {
    done = await report(
      { kind: 'bubblewrap', attempts: attempts(), invisible: [key, '/etc/shadow', driver] },
      user === 'a plain user' && isRoot,
    );
  }, 120_000);

  it('cannot read files of the host or the harness', () => {
    for (const name of ['shadow', 'rootHome', 'key']) {
      expect(result(name).end).toMatchObject({ kind: 'exited' });
      expect(result(name).stdout, name).toBe('');
      expect(result(name).stderr, name).toMatch(/No such file/);
    }
  });

  it('cannot write to the system', () => {
    expect(result('writeSystem').stdout).toBe('tried\n');
  });

  it('cannot reach a listener on the loopback interface of the host', () => {
    expect(result('network').stdout).toBe('tried\n');
    expect(connections).toBe(0);
  });

  it('cannot see or signal processes of the host', () => {
    expect(Number(result('processes').stdout.split('\n')[0])).toBeLessThan(8);
    expect(result('processes').stdout).not.toContain('reached');
  });

  it('inherits neither environment nor descriptors of the harness', () => {
    expect(result('environment').stdout).toContain('HOME=/home/agent');
    expect(result('environment').stdout).not.toContain(CANARY);
    expect(result('descriptors').stdout).toBe('0\n1\n2\n3\n');
    expect(result('firstProcess').stdout).not.toContain(done.scratch);
  });

  it('has no privileges and cannot create a namespace in which it would', () => {
    expect(result('nested').stdout).toBe('tried\n');
    expect(result('capabilities').stdout.replaceAll(/Cap\w+:\s+0+\n/g, '')).toBe('');
    expect(result('identity').stdout).toBe('1000\nwritable\n');
  });

  it('is stopped at its limits', () => {
    const forks = Number(result('forkBomb').stdout.trim().split('\n').at(-1));
    expect(forks).toBeGreaterThan(40);
    expect(forks).toBeLessThan(64);
    expect(result('bigFile').stdout.trim()).toBe('1000000');
    expect(result('bigTmp').stdout).toBe('');
    expect(result('disk').end).toMatchObject({ kind: 'over_limit', limit: 'disk' });
    expect(result('output').end).toMatchObject({ kind: 'over_limit', limit: 'output' });
    // With a memory cgroup the kernel kills the program.
    const { end } = result('memory');
    expect(end.kind === 'exited' ? end.exitCode : end).toSatisfy((how) => how === 137 || how.limit === 'memory');
  });

  it('cannot hide files in unreadable or deeply nested directories', () => {
    expect(result('closedDisk').end).toMatchObject({ kind: 'over_limit', limit: 'disk' });
    expect(result('deepDisk').end).toMatchObject({ kind: 'over_limit', limit: 'disk' });
  });

  it('cannot leave a process behind', () => {
    expect(result('lateDaemon').end).toMatchObject({ kind: 'exited', exitCode: 0 });
    expect(result('heldOutput').end).toMatchObject({ kind: 'exited', exitCode: 7 });
    expect(result('trapping').end).toMatchObject({ kind: 'timed_out' });
    expect(result('closing').end).toMatchObject({ kind: 'timed_out' });
    expect(processesWith(SLEEPER)).toEqual([]);
  });

  it('cannot keep the harness from cleaning up', () => {
    expect(result('closedDir').stdout).toBe('closed\n');
    expect(existsSync(done.scratch)).toBe(false);
  });

  it('is distinguished from one that never ran', () => {
    expect(result('missing').end).toMatchObject({ kind: 'not_run', detail: expect.stringContaining('/nonexistent') });
    expect(result('exitOne').end).toMatchObject({ kind: 'exited', exitCode: 1 });
    expect(result('exit127').end).toMatchObject({ kind: 'exited', exitCode: 127 });
    expect(result('killedItself').end).toMatchObject({ kind: 'exited', exitCode: 137 });
  });

  it('can open its output by path', () => {
    expect(result('reopen')).toMatchObject({ stdout: 'out\n', stderr: 'err\n' });
  });

  it('passes the probe', () => {
    expect(done.probe).toMatchObject({ passed: true });
  });

  it('ends when the harness is killed', async () => {
    const stay = { script: `setsid sleep ${SLEEPER} & trap "" TERM; echo begun; sleep ${SLEEPER}` };
    const child = startDriver(
      { kind: 'bubblewrap', attempts: {}, invisible: [], stay },
      user === 'a plain user' && isRoot,
    );
    try {
      await new Promise((resolve) => child.stdout?.once('data', resolve));
      // The shell prints "begun" before its children have executed the sleep commands that identify them.
      await expect.poll(() => processesWith(SLEEPER).length, { timeout: 20_000 }).toBeGreaterThan(0);
    } finally {
      child.kill('SIGKILL');
    }
    await expect.poll(() => processesWith(SLEEPER), { timeout: 20_000 }).toEqual([]);
  }, 60_000);
});
