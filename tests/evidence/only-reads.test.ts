import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Place, PROJECT } from '../support/seatrial.ts';

/** Every way to change a file system by name; descriptors to write to come from `open`. */
const CHANGING =
  'mkdir,mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,symlink,symlinkat,mknod,mknodat,truncate,ftruncate,' +
  'chmod,fchmod,fchmodat,chown,fchown,lchown,fchownat,utime,utimes,utimensat,futimesat,setxattr,lsetxattr,fsetxattr,mount,bind';
const TRACED = `open,openat,openat2,creat,${CHANGING}`;
const FOR_WRITING = /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)/;

const strace = spawnSync('strace', ['-f', '-o', '/dev/null', 'true'], { encoding: 'utf8' });
const unable =
  strace.status === 0 ? null : `strace cannot be used here: ${strace.error?.message ?? strace.stderr.trim()}`;

const place = new Place();
let run: string;

beforeAll(async () => {
  run = (await place.run('r1-string-slugify')).report.run_id;
  await place.run('r1-string-slugify', ['--misbehave', 'no diff']);
});
afterAll(() => place.remove());

/** The system calls of a command that change something, or would. */
function changesBy(
  args: readonly string[],
  home: string,
): { readonly code: number | null; readonly calls: readonly string[] } {
  const trace = join(place.root, 'trace');
  const command = [process.execPath, join(PROJECT, 'dist/seatrial.js'), ...args];
  const { status } = spawnSync(
    'strace',
    ['-f', '-qq', '--seccomp-bpf', '-e', `trace=${TRACED}`, '-o', trace, ...command],
    {
      cwd: place.cwd,
      env: { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: home },
      encoding: 'utf8',
    },
  );
  const calls = readFileSync(trace, 'utf8').split('\n').filter(isChange);
  return { code: status, calls };
}

function isChange(line: string): boolean {
  const call = /^\d+ +(\w+)\((.*)$/.exec(line);
  if (call === null || /"\/dev\/(null|tty)"/.test(line)) return false;
  return !/^(open|openat|openat2)$/.test(call[1] ?? '') || FOR_WRITING.test(call[2] ?? '');
}

describe('under strace', () => {
  beforeEach((ctx) => {
    if (unable !== null) ctx.skip(unable);
  });

  const reading: readonly (readonly [string, () => readonly string[]])[] = [
    ['verify', () => ['verify', run]],
    ['verify --json', () => ['verify', run, '--json']],
    ['verify --all', () => ['verify', '--all']],
    ['runs', () => ['runs']],
    ['runs list --json', () => ['runs', 'list', '--json']],
    ['runs show', () => ['runs', 'show', run]],
    ['task list', () => ['task', 'list']],
    ['engines', () => ['engines']],
    ['admissions', () => ['admissions']],
    ['admissions --json', () => ['admissions', '--json']],
    ['--help', () => ['--help']],
    ['run --help', () => ['run', '--help']],
    ['--version', () => ['--version']],
  ];

  it.each(reading)('%s opens no file for writing and changes none', (_name, args) => {
    expect(changesBy(args(), place.home)).toEqual({ code: 0, calls: [] });
  });

  it('the same commands leave an empty home empty', () => {
    const home = join(place.root, 'fresh');
    mkdirSync(home);
    expect(changesBy(['verify', '--all'], home)).toEqual({ code: 0, calls: [] });
  });

  it('a command that writes is seen to', () => {
    expect(changesBy(['key', 'show'], join(place.root, 'newcomer')).calls).not.toEqual([]);
  });
});
