import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateCgroups, makeMemoryGroup } from './limits/cgroup.ts';
import { replaceInherited, type Slot } from './streams/descriptors.ts';
import { pickUid } from './processes/identity.ts';
import { DEFAULT_LIMITS, parseCeilings, prlimitFlags } from './limits/limits.ts';
import { faultsOf, readFindings } from './probe/findings.ts';
import { parseStatus } from './bwrap/status-stream.ts';

describe('the status stream of bubblewrap', () => {
  const full = '{ "child-pid": 12, "net-namespace": 4 }\n{ "exit-code": 3 }\n';
  it('returns an exit code only when its line is complete', () => {
    for (let length = 0; length <= full.length; length++) {
      const { exitCode } = parseStatus(full.slice(0, length));
      expect(exitCode).toBe(length === full.length ? 3 : null);
    }
  });
  it('ignores lines that are not records', () => {
    expect(parseStatus('nonsense\n[1]\n{"exit-code":"0"}\n')).toEqual({ childPid: null, exitCode: null });
  });
});

describe('the user a command runs as', () => {
  it('is never root and always a mapped id', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 1, max: 4_294_967_295 }),
        fc.nat(),
        (first, count, seed) => {
          const uid = pickUid(`${first} 100000 ${count}\n`, (below) => seed % below);
          expect(uid === null ? count < 3 : uid > 0 && uid >= first && uid < first + count).toBe(true);
        },
      ),
    );
  });
  it('is outside the range of real users if all ids are mapped', () => {
    expect(pickUid('0 0 4294967295', () => 7)).toBe(1_000_000_007);
  });
});

describe('limits', () => {
  const ceilings = parseCeilings(
    'Limit  Soft Limit Hard Limit Units\nMax open files            1024                 2048                 files\n' +
      'Max processes             unlimited            unlimited            processes\n',
  );
  it('stay below the limits of the harness itself', () => {
    expect(prlimitFlags(DEFAULT_LIMITS, ceilings)).toEqual(
      expect.arrayContaining(['--nofile=2048', '--nproc=512', '--core=0']),
    );
  });
});

describe('inherited descriptors', () => {
  it('are replaced one by one, and no others are changed', () => {
    const slots: Slot[] = ['pipe', 5, 6, 'pipe'];
    const inherited = fc.uniqueArray(fc.integer({ min: 3, max: 300 }));
    fc.assert(
      fc.property(inherited, (fds) => {
        const result = replaceInherited(slots, fds, 99);
        expect(result.slice(0, 4)).toEqual(slots);
        result.slice(4).forEach((slot, index) => expect(slot).toBe(fds.includes(index + 4) ? 99 : 'ignore'));
        expect(result.length).toBe(Math.max(4, ...fds.map((fd) => fd + 1)));
      }),
    );
  });
});

describe('memory cgroups', () => {
  const v1 = '30 20 0:27 / /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n';
  const v2 = '30 20 0:27 / /sys/fs/cgroup rw,relatime - cgroup2 cgroup2 rw\n';
  it('are created only in a delegated tree', () => {
    const theirs = { membership: '4:memory:/somebody/else\n0::/\n', mountinfo: v1, isRoot: true };
    expect(candidateCgroups(theirs)).toEqual([]);
    expect(candidateCgroups({ ...theirs, membership: '4:memory:/\n0::/\n' })).toEqual([
      { parent: '/sys/fs/cgroup/memory', limitFile: 'memory.limit_in_bytes' },
    ]);
  });
  it('are created next to a user session, because a cgroup with processes cannot limit its children', () => {
    const facts = { membership: '0::/user.slice/app.slice/term.scope\n', mountinfo: v2, isRoot: false };
    expect(candidateCgroups(facts).map(({ parent }) => parent)).toEqual([
      '/sys/fs/cgroup/user.slice/app.slice/term.scope',
      '/sys/fs/cgroup/user.slice/app.slice',
    ]);
    expect(candidateCgroups({ ...facts, isRoot: true })).toEqual([]);
    expect(candidateCgroups({ ...facts, membership: '0::/\n', isRoot: true }).map(({ parent }) => parent)).toEqual([
      '/sys/fs/cgroup',
    ]);
  });
  it('get their limit before their first process, and are removed when empty', () => {
    const parent = mkdtempSync(join(tmpdir(), 'seatrial-cgroup-'));
    const group = makeMemoryGroup({ parent, limitFile: 'memory.max' }, 'one', 4096);
    expect(readFileSync(join(parent, 'one/memory.max'), 'utf8')).toBe('4096');
    group.add(123);
    expect(readFileSync(join(parent, 'one/cgroup.procs'), 'utf8')).toBe('123');
    group.remove(); // A real group's files vanish with it; here they keep it, which must be no error.
    expect(existsSync(join(parent, 'one'))).toBe(true);
    rmSync(parent, { recursive: true });
  });
});

describe('the probe', () => {
  const sound = [
    'nonce n1',
    'looked 1',
    'first /usr/bin/bwrap --args 3 -- /bin/sh',
    ...['user', 'pid', 'net', 'ipc', 'uts', 'mnt'].map(
      (name, i) => `lrwxrwxrwx 1 1000 1000 0 Nov 1 ${name} -> ${name}:[10${i}]`,
    ),
    '/proc/self/net/dev:    lo: 0 0',
    '/proc/self/status:CapEff:\t0000000000000000',
    '/proc/self/mountinfo:1 2 3 / / ro',
    'attempts 0',
  ];
  const expected = {
    nonce: 'n1',
    invisible: ['/key'],
    ownNamespaces: { net: 'net:[999]' },
    secretPaths: ['/tmp/scratch'],
    filtered: true,
  };
  const faults = (lines: readonly string[], own = expected) => faultsOf(readFindings(`${lines.join('\n')}\n`), own);

  it('finds no fault in a sound sandbox', () => {
    expect(faults(sound)).toEqual([]);
  });
  it('fails if any line is missing', () => {
    for (const line of sound.filter((each) => !each.startsWith('first'))) {
      expect(faults(sound.filter((other) => other !== line)), line).not.toEqual([]);
    }
  });
  it.each([
    ['visible 0', /visible inside: \/key/],
    ['writable /usr', /writable inside: \/usr/],
    ['/proc/self/net/dev:  eth0: 1 2', /interface inside: eth0/],
    ['/proc/self/status:CapBnd:\t0000000000000001', /capabilities/],
  ])('names what it found: %s', (line, fault) => {
    expect(faults([...sound, line]).join()).toMatch(fault);
  });
  it('names a shared namespace, a wrong nonce and a visible path', () => {
    expect(faults(sound, { ...expected, ownNamespaces: { net: 'net:[102]' } }).join()).toMatch(
      /net namespace is shared/,
    );
    expect(faults(sound, { ...expected, nonce: 'n2' }).join()).toMatch(/nonce/);
    expect(faults(sound.map((line) => line.replace('--args', '/tmp/scratch --args'))).join()).toMatch(/names a path/);
  });
});
