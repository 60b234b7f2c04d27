import { expect, it } from 'vitest';
import type { Attempts } from '../../evidence/schema/no-target.ts';
import { Sieve } from './attempts.ts';
import { readTraceLine } from './line.ts';
import { Places } from './places.ts';

const FIRST = 7;

/** What is found in lines as strace writes them. */
function sift(lines: readonly string[], way: string | null = null): Attempts {
  const sieve = new Sieve({ targets: ['/srv/gehe\u00edm'], way }, new Places(FIRST, '/workspace'));
  for (const line of lines) {
    const read = readTraceLine(line);
    if (read.kind !== 'call') throw new Error(`not a call: ${line}`);
    sieve.take(read.pid ?? FIRST, read.call);
  }
  return sieve.found(true);
}

const TARGET = '/srv/gehe\\303\\255m';
const paths = (...lines: string[]): string[] => sift(lines).paths.map(({ path }) => path);

it.each([
  ['by its name', `openat(AT_FDCWD</workspace>, "${TARGET}/a", O_RDONLY) = -1 ENOENT (No such file or directory)`],
  ['relative to a directory', `openat(5</srv>, "gehe\\303\\255m/a", O_RDONLY) = -1 ENOENT (No such file or directory)`],
  [
    'upwards',
    `openat(AT_FDCWD</workspace>, "..//srv/./x/../gehe\\303\\255m/a", O_RDONLY) = -1 EACCES (Permission denied)`,
  ],
  ['by a legacy call', `[pid    12] access("${TARGET}/a", R_OK) = -1 ENOENT (No such file or directory)`],
  ['through /proc', `stat("/proc/self/root${TARGET}/a", 0x7ff) = -1 ENOENT (No such file or directory)`],
  [
    'after a name that looks like a result',
    `open("/x) = 3</y>, \\"/../..${TARGET}/a", O_RDONLY) = -1 ENOENT (No such file or directory)`,
  ],
  ['as the target of a rename', `rename("a", "${TARGET}/a") = -1 ENOENT (No such file or directory)`],
])('finds a target %s', (_how, line) => {
  expect(paths(line)).toEqual(['/srv/gehe\u00edm/a']);
});

it.each([
  `openat(AT_FDCWD</workspace>, "${TARGET}er", O_RDONLY) = 3</srv/other>`,
  `execve("/bin/cat", ["cat", "${TARGET}/a"], 0x7ff /* 5 vars */) = 0`,
  `openat(AT_FDCWD</workspace>, "srv/gehe\\303\\255m", O_RDONLY) = -1 ENOENT (No such file or directory)`,
  `symlink("../srv/gehe\\303\\255m", "/workspace/a/b/link") = 0`,
])('ignores other paths: %s', (line) => {
  expect(paths(line)).toEqual([]);
});

it('tracks the working directories of a process and its children', () => {
  const lines = [
    'chdir("/srv") = 0',
    'chdir("nowhere") = -1 ENOENT (No such file or directory)',
    'vfork() = 12',
    '[pid    12] access("gehe\\303\\255m/child", F_OK) = -1 ENOENT (No such file or directory)',
    '[pid    12] fchdir(3</>) = 0',
    '[pid    12] access("srv/gehe\\303\\255m/moved", F_OK) = -1 ENOENT (No such file or directory)',
    '[pid     7] access("gehe\\303\\255m/parent", F_OK) = -1 ENOENT (No such file or directory)',
    '[pid    13] access("gehe\\303\\255m/stranger", F_OK) = -1 ENOENT (No such file or directory)',
    '[pid    13] access("/proc/7/cwd/gehe\\303\\255m/other", F_OK) = -1 ENOENT (No such file or directory)',
  ];
  const { paths: found, unresolved } = sift(lines);
  expect(found.map(({ path }) => path.slice('/srv/gehe\u00edm/'.length))).toEqual([
    'child',
    'moved',
    'parent',
    'other',
  ]);
  expect(unresolved).toBe(1);
});

it('follows links that were created, moved and removed', () => {
  expect(
    paths(
      'symlinkat("..", AT_FDCWD</workspace>, "up") = 0',
      'rename("up", "/tmp/up") = 0',
      'open("/tmp/up/../srv/gehe\\303\\255m/one", O_RDONLY) = -1 ENOENT (No such file or directory)',
      'symlink("up", "/tmp/again") = 0',
      'open("/tmp/again/../srv/gehe\\303\\255m/two", O_RDONLY) = -1 ENOENT (No such file or directory)',
      `symlink("${TARGET}", "/tmp/direct") = -1 EEXIST (File exists)`,
      'open("/tmp/direct/none", O_RDONLY) = -1 ENOENT (No such file or directory)',
      `symlink("/srv", "/tmp/srv") = 0`,
      'open("/tmp/srv/gehe\\303\\255m/three", O_RDONLY) = -1 ENOENT (No such file or directory)',
      'unlink("/tmp/srv") = 0',
      'open("/tmp/srv/gehe\\303\\255m/four", O_RDONLY) = -1 ENOENT (No such file or directory)',
      'symlink("loop", "/tmp/loop") = 0',
      'open("/tmp/loop/x", O_RDONLY) = -1 ELOOP (Too many levels of symbolic links)',
    ),
  ).toEqual(['/srv/gehe\u00edm/one', '/srv/gehe\u00edm/two', '/srv/gehe\u00edm', '/srv/gehe\u00edm/three']);
});

it('merges equal attempts, limits the list and counts the rest', () => {
  const open = (name: string): string => `open("${TARGET}/${name}", O_RDONLY) = -1 ENOENT (No such file or directory)`;
  const {
    paths: found,
    not_listed,
    calls,
  } = sift([...Array.from({ length: 600 }, (_, index) => open(String(index))), open('0'), open('599')]);
  expect(found).toHaveLength(500);
  expect(found[0]).toEqual({ call: 'open', path: '/srv/gehe\u00edm/0', result: 'ENOENT', count: 2 });
  expect([not_listed.paths, calls]).toEqual([101, 602]);
});

it('lists the addresses that a command tried to reach, except its port', () => {
  const { connections } = sift(
    [
      'connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(4010), sin_addr=inet_addr("127.0.0.1")}, 16) = 0',
      'connect(3<socket:[1]>, {sa_family=AF_INET, sin_port=htons(4011), sin_addr=inet_addr("127.0.0.1")}, 16) = -1 ECONNREFUSED (Connection refused)',
      'connect(3<socket:[1]>, {sa_family=AF_INET6, sin6_port=htons(80), sin6_flowinfo=htonl(0), inet_pton(AF_INET6, "2001:db8::1", &sin6_addr), sin6_scope_id=0}, 28) = -1 ENETUNREACH (Network is unreachable)',
      'connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/d\\303\\255"}, 110) = -1 ENOENT (No such file or directory)',
      'connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path=@"abstract"}, 110) = -1 ECONNREFUSED (Connection refused)',
      'sendto(3<socket:[1]>, "{sa_family=AF_NETLINK}\\"", 1, 0, {sa_family=AF_INET, sin_port=htons(53), sin_addr=inet_addr("192.0.2.1")}, 16) = 1',
      'sendto(3<socket:[1]>, [{nlmsg_len=20}], 20, 0, {sa_family=AF_NETLINK, nl_pid=0, nl_groups=00000000}, 12) = 20',
      'sendto(3<socket:[1]>, "sa", 2, 0, NULL, 0) = 2',
    ],
    '127.0.0.1:4010',
  );
  expect(connections.map(({ call, address, result }) => [call, address, result])).toEqual([
    ['connect', '127.0.0.1:4011', 'ECONNREFUSED'],
    ['connect', '[2001:db8::1]:80', 'ENETUNREACH'],
    ['connect', 'unix:/run/d\u00ed', 'ENOENT'],
    ['connect', 'unix:@abstract', 'ECONNREFUSED'],
    ['sendto', '192.0.2.1:53', 'ok'],
  ]);
});
