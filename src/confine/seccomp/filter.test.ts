import { describe, expect, it } from 'vitest';
import { type Architecture, architectureNamed, type CallName, NEWEST_CALL } from './architecture.ts';
import { seccompFilter } from './filter.ts';
import { runFilter } from './run-filter.fixture.ts';

const ALLOWED = 0x7fff0000;
const NOT_PERMITTED = 0x00050001;
const NO_SUCH_CALL = 0x00050026;
const NO_SUCH_FAMILY = 0x00050061;

/** Whether these are refused depends on their arguments. */
const BY_ARGUMENT: readonly CallName[] = ['socket', 'socketpair', 'clone', 'personality', 'ioctl'];
const AS_IF_ABSENT: readonly string[] = ['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register'];

it('knows x86-64 and arm64, and no other machine', () => {
  expect(['x64', 'arm64', 's390x'].map((name) => architectureNamed(name) !== null)).toEqual([true, true, false]);
});

describe.each(['x64', 'arm64'])('on %s', (name) => {
  const architecture: Architecture = architectureNamed(name) ?? { audit: 0, calls: {}, foreignBit: null };
  const { audit, calls } = architecture;
  const filter = seccompFilter(architecture);
  const answer = (nr: number, ...args: number[]): number => runFilter(filter, { nr, arch: audit, args });
  const call = (wanted: CallName, ...args: number[]): number => answer(calls[wanted] ?? -1, ...args);

  it('every named call is refused, or not there', () => {
    for (const [named, nr] of Object.entries(calls)) {
      if (BY_ARGUMENT.some((other) => other === named)) continue;
      expect([named, answer(nr)]).toEqual([named, AS_IF_ABSENT.includes(named) ? NO_SUCH_CALL : NOT_PERMITTED]);
    }
  });

  it('every other call of today is allowed, and none of tomorrow is there', () => {
    const named = new Set(Object.values(calls));
    const others = Array.from({ length: NEWEST_CALL + 1 }, (_, nr) => nr).filter((nr) => !named.has(nr));
    expect(others.filter((nr) => answer(nr) !== ALLOWED)).toEqual([]);
    expect([NEWEST_CALL + 1, 1000, 0x3fffffff].map((nr) => answer(nr))).toEqual(Array(3).fill(NO_SUCH_CALL));
  });

  it('calls for another architecture are not there', () => {
    for (const arch of [0x40000003, 0xc000003e, 0xc00000b7].filter((other) => other !== audit)) {
      expect(runFilter(filter, { nr: 1, arch })).toBe(NO_SUCH_CALL);
    }
  });

  it('opens sockets of the usual families only', () => {
    const families = Array.from({ length: 50 }, (_, family) => family);
    for (const made of ['socket', 'socketpair'] as const) {
      expect(families.filter((family) => call(made, family, 1) === ALLOWED)).toEqual([1, 2, 10, 16]);
      expect(call(made, 40)).toBe(NO_SUCH_FAMILY);
    }
  });

  it('starts processes and threads, none of them in a namespace of its own', () => {
    const thread = 0x3d0f00;
    expect([17, thread].map((flags) => call('clone', flags))).toEqual([ALLOWED, ALLOWED]);
    const spaces = [0x00020000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000];
    expect(spaces.map((flag) => call('clone', flag | 17))).toEqual(spaces.map(() => NOT_PERMITTED));
  });

  it('types into no terminal and keeps to the usual personalities', () => {
    expect([0x5401, 0x5412, 0x541c].map((request) => call('ioctl', 0, request))).toEqual([
      ALLOWED,
      NOT_PERMITTED,
      NOT_PERMITTED,
    ]);
    expect([0, 8, 0xffffffff, 0x40000].map((wanted) => call('personality', wanted))).toEqual([
      ALLOWED,
      ALLOWED,
      ALLOWED,
      NOT_PERMITTED,
    ]);
  });
});

it('calls of x32 are not there, although their numbers look like others', () => {
  const x64 = architectureNamed('x64');
  if (x64 === null) throw new Error('no x64');
  expect(runFilter(seccompFilter(x64), { nr: 0x40000000 + 39, arch: x64.audit })).toBe(NO_SUCH_CALL);
});
