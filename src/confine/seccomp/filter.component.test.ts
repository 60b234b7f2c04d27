import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findProgram } from '../tools/find-program.ts';
import { DEFAULT_LIMITS } from '../limits/limits.ts';
import { openConfinement } from '../open.ts';
import { removeScratch } from '../remove-scratch.ts';
import { makeScratch } from '../scratch.ts';
import type { Confinement } from '../types.ts';
import { architectureNamed, NEWEST_CALL } from './architecture.ts';

const scratch = makeScratch();
const workspace = join(scratch, 'workspace');
let confinement: Confinement;
beforeAll(async () => {
  mkdirSync(workspace);
  confinement = await openConfinement({ kind: 'bubblewrap', scratch });
  confinement.give(workspace);
});
afterAll(() => removeScratch(scratch));

async function inside(...argv: string[]): Promise<string> {
  const command = confinement.start({
    argv,
    env: {},
    cwd: '/workspace',
    mounts: [{ source: workspace, target: '/workspace', mode: 'rw' }],
    limits: DEFAULT_LIMITS,
    timeoutMs: 60_000,
  });
  command.stdin.end();
  const [stdout, stderr, end] = await Promise.all([text(command.stdout), text(command.stderr), command.ended]);
  return `${stdout}${end.kind === 'exited' && end.exitCode === 0 ? '' : `${JSON.stringify(end)}\n${stderr}`}`;
}

/** Makes each call with arguments of zero, or those given, and prints the error that it gets. */
const CALLS = `
import ctypes, errno, json, sys
libc = ctypes.CDLL(None, use_errno=True)
def attempt(nr, *args):
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(nr), *(ctypes.c_long(arg) for arg in (args or (0, 0, 0, 0, 0))))
    return errno.errorcode.get(ctypes.get_errno(), '?') if result == -1 else 'done'
print(json.dumps([attempt(*call) for call in json.loads(sys.argv[1])]))
`;

async function attempt(calls: readonly (readonly number[])[]): Promise<unknown> {
  return JSON.parse(await inside('python3', '-c', CALLS, JSON.stringify(calls)));
}

describe('from inside', () => {
  const calls = Object.entries(architectureNamed(process.arch)?.calls ?? {});
  const absent = new Set(['clone3', 'io_uring_setup', 'io_uring_enter', 'io_uring_register']);
  const byArgument = new Set(['socket', 'socketpair', 'clone', 'personality', 'ioctl']);

  it('every refused call is refused', async () => {
    const tried = calls.filter(([name]) => !byArgument.has(name));
    expect(tried.length).toBeGreaterThan(50);
    const expected = tried.map(([name]) => (absent.has(name) ? 'ENOSYS' : 'EPERM'));
    expect(await attempt(tried.map(([, nr]) => [nr]))).toEqual(expected);
  });

  it('sockets of machines, packets, ciphers and radios are not there; those of the network are', async () => {
    const socket = Object.fromEntries(calls)['socket'] ?? -1;
    const families = [40, 17, 38, 31, 1, 2, 10];
    expect(await attempt(families.map((family) => [socket, family, 2, 0]))).toEqual([
      ...Array<string>(4).fill('EAFNOSUPPORT'),
      ...Array<string>(3).fill('done'),
    ]);
  });

  it('calls are refused by their arguments', async () => {
    const { socketpair = -1, clone = -1, personality = -1, ioctl = -1 } = Object.fromEntries(calls);
    const namespaces = [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000];
    const [noRandomAddresses, typeIntoTerminal, pasteIntoConsole] = [0x40000, 0x5412, 0x541c];
    const tried = [
      ...namespaces.map((flag) => [clone, flag]),
      [personality, noRandomAddresses],
      [ioctl, 0, typeIntoTerminal],
      [ioctl, 0, pasteIntoConsole],
      [socketpair, 40, 1, 0],
    ];
    expect(await attempt(tried)).toEqual([...Array<string>(10).fill('EPERM'), 'EAFNOSUPPORT']);
  });

  it('calls of a later kernel and of another architecture are not there', async () => {
    const { foreignBit = null } = architectureNamed(process.arch) ?? {};
    const tried = [[NEWEST_CALL + 1], [NEWEST_CALL + 100], ...(foreignBit === null ? [] : [[foreignBit + 39]])];
    expect(await attempt(tried)).toEqual(tried.map(() => 'ENOSYS'));
  });

  it("the machine's keys are not listed", async () => {
    expect(await inside('sh', '-c', 'cat /proc/keys /proc/key-users; echo read')).toBe('read\n');
  });

  it('the report says so', () => {
    expect(confinement.describe()).toMatchObject({ session_keyring: 'inherited, calls refused' });
    expect(confinement.describe().not_enforced).not.toContain('seccomp');
    expect(confinement.describe().read_only).toContain('/usr');
  });
});

describe('works as before', () => {
  it('Python with processes, locks and shared memory', async () => {
    const script = `
import multiprocessing as m
from multiprocessing import shared_memory
def square(n): return n * n
if __name__ == '__main__':
    shared = shared_memory.SharedMemory(create=True, size=8); shared.unlink()
    with m.Pool(3) as pool: print(sum(pool.map(square, range(10))), m.Lock() is not None)
`;
    writeFileSync(join(workspace, 'pool.py'), script);
    expect(await inside('python3', 'pool.py')).toBe('285 True\n');
  });

  it('a program that looks for its leaks and its stray accesses', async ({ skip }) => {
    const compiler = findProgram('gcc', '/usr/bin:/usr/local/bin');
    if (compiler === null) return skip('gcc is not installed');
    writeFileSync(
      join(workspace, 'leak.c'),
      '#include <stdlib.h>\nint main(int n, char **a) { volatile char *p = malloc(7); p[0] = 1; if (n > 1) p = 0; return 0; }\n',
    );
    await inside('gcc', '-g', '-fsanitize=address', 'leak.c', '-o', 'leak');
    return expect(await inside('sh', '-c', './leak x 2>&1')).toContain('detected memory leaks');
  });
});
