import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DEFAULT_LIMITS } from './limits/limits.ts';
import { openConfinement } from './open.ts';
import { probe } from './probe/probe.ts';
import { removeScratch } from './remove-scratch.ts';
import { makeScratch } from './scratch.ts';
import type { Mount } from './types.ts';
import { pathInside } from './path-inside.ts';

vi.setConfig({ testTimeout: 60_000 });

const SLEEPER = `8765${process.pid}`;
let scratch: string;
let mounts: Mount[];

beforeEach(() => {
  scratch = makeScratch();
  const workspace = join(scratch, 'workspace');
  mkdirSync(workspace);
  mounts = [
    { source: workspace, target: '/workspace', mode: 'rw' },
    { source: join(scratch, 'tests'), target: '/workspace/tests', mode: 'ro' },
  ];
});
afterEach(() => removeScratch(scratch));

const sleepers = (): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes(SLEEPER);
    } catch {
      return false;
    }
  });

it('reports that nothing is enforced, and fails the probe', async () => {
  const confinement = await openConfinement({ kind: 'none', scratch });
  expect(confinement.describe()).toMatchObject({ kind: 'none', network: 'host', limits: {} });
  expect(confinement.describe().not_enforced).toEqual(expect.arrayContaining(['network', 'processes', 'memory_bytes']));
  const probed = await probe(confinement, {
    nonce: 'n',
    mounts,
    limits: DEFAULT_LIMITS,
    invisible: [],
    outside: scratch,
  });
  expect(probed).toMatchObject({ passed: false, detail: 'not confined' });
});

it('translates a path by the innermost mount that contains it', async () => {
  const confinement = await openConfinement({ kind: 'none', scratch });
  expect(pathInside(confinement, '/workspace/a/b', mounts)).toBe(join(scratch, 'workspace/a/b'));
  expect(pathInside(confinement, '/workspace/tests/t.py', mounts)).toBe(join(scratch, 'tests/t.py'));
  expect(pathInside(confinement, '/workspaces', mounts)).toBe('/workspaces');
});

it('passes on no variable of the caller', async () => {
  const confinement = await openConfinement({ kind: 'none', scratch });
  process.env['SEATRIAL_TEST_CANARY'] = 'canary';
  const sandboxed = confinement.start({
    argv: ['/usr/bin/env'],
    env: { MINE: '1' },
    cwd: '/workspace',
    mounts,
    limits: DEFAULT_LIMITS,
    timeoutMs: 20_000,
  });
  const printed = await text(sandboxed.stdout);
  delete process.env['SEATRIAL_TEST_CANARY'];
  expect(printed).toContain('MINE=1');
  expect(printed).not.toContain('canary');
});

it.each([
  ['exits', `setsid sleep ${SLEEPER} & sleep ${SLEEPER} & exit 3`, { kind: 'exited', exitCode: 3 }],
  [
    'is timed out',
    `trap "" TERM; setsid sh -c 'trap "" TERM; sleep ${SLEEPER}' & sleep ${SLEEPER}`,
    { kind: 'timed_out' },
  ],
])('kills daemons in their own sessions when the command %s', async (_how, script, end) => {
  const confinement = await openConfinement({ kind: 'none', scratch });
  const sandboxed = confinement.start({
    argv: ['/bin/sh', '-c', script],
    env: {},
    cwd: '/workspace',
    mounts,
    limits: DEFAULT_LIMITS,
    timeoutMs: 800,
  });
  expect(await sandboxed.ended).toMatchObject(end);
  expect(sleepers()).toEqual([]);
});
