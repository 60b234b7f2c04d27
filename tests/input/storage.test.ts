import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallOptions, Place, PROJECT, readReport } from '../support/seatrial.ts';
import { sentenceOf, usageError } from '../support/one-sentence.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';

const isRoot = process.getuid?.() === 0;
const place = new Place();
afterAll(() => place.remove());

describe('as a plain user', () => {
  /** Everything the command needs, where any user can read it. */
  const copy = join(place.root, 'package');
  let plain: CallOptions;

  beforeAll(() => {
    place.task('answer');
    for (const part of ['package.json', 'dist', 'tasks', 'src/run/judge/runners']) {
      cpSync(join(PROJECT, part), join(copy, part), { recursive: true });
    }
    for (const dir of ['read-only', 'closed']) mkdirSync(join(place.cwd, dir));
    mkdirSync(join(place.root, 'tmp'));
    const uid = isRoot ? { uid: place.giveToPlainUser() } : {};
    chmodSync(join(place.cwd, 'read-only'), 0o555);
    chmodSync(join(place.cwd, 'closed'), 0o000);
    plain = { ...uid, command: join(copy, 'dist/seatrial.js'), env: { TMPDIR: join(place.root, 'tmp') } };
  });
  afterAll(() => chmodSync(join(place.cwd, 'closed'), 0o755));

  it('a runs directory that cannot be written to is exit 3, with what to do', async () => {
    for (const dir of ['read-only', 'read-only/below', 'closed/below']) {
      const ended = await place.seatrial(['run', 'answer', '--runs', dir], plain);
      expect(sentenceOf(ended, 3)).toMatch(
        /artifact write failed: .*: permission denied; make it writable or choose an/,
      );
    }
    expect(readdirSync(join(place.cwd, 'read-only'))).toEqual([]);
  });

  it('what cannot be read is exit 64', async () => {
    expect(usageError(await place.seatrial(['run', 'closed'], plain))).toContain('it cannot be read (EACCES)');
    expect(usageError(await place.seatrial(['runs', '--runs', 'closed'], plain))).toContain(
      'cannot read the runs directory closed',
    );
    const close = { files: 'environment/files: unreadable (EACCES): .', tests: 'tests: unreadable (EACCES): .' };
    for (const [part, saying] of Object.entries({ ...close, solution: 'solution: unreadable (EACCES): .' })) {
      const dir = join(place.cwd, 'answer', part === 'files' ? 'environment/files' : part);
      chmodSync(dir, 0o000);
      expect(usageError(await place.seatrial(['run', 'answer'], plain))).toContain(saying);
      chmodSync(dir, 0o755);
    }
    expect(place.runDirs()).toEqual([]);
  });

  it('an engine that closes files and directories is blocked, and nothing of its scratch is left', async () => {
    for (const [line, reason] of [
      ['chmod 000 answer.txt', 'unreadable (EACCES): answer.txt'],
      ['mkdir -p a/b; : > a/b/c; chmod 000 a/b; chmod 555 a', 'unreadable (EACCES): a/b'],
      ['chmod 000 .', 'unreadable (EACCES): .'],
    ] as const) {
      const { code, report } = await place.run('answer', ['--engine', 'command', '--command', line], plain);
      expect([code, report.status, report.failure_reason]).toEqual([2, 'blocked', reason]);
    }
    expect(readdirSync(join(place.root, 'tmp'))).toEqual([]);
    const all = await place.seatrial(['verify', '--all'], plain);
    expect(all.code, all.stdout).toBe(0);
  });
});

it('a runs directory below a file, or where no directory can be made, is exit 3', async () => {
  writeFileSync(join(place.cwd, 'file'), '');
  for (const dir of ['file', 'file/below', '/proc/nowhere', '/dev/null']) {
    expect(sentenceOf(await place.seatrial(['run', 'answer', '--runs', dir]), 3)).toMatch(/^artifact write failed: /);
    expect(sentenceOf(await place.seatrial(['matrix', '--runs', dir]), 3)).toMatch(/^artifact write failed: /);
  }
});

describe.skipIf(!isRoot)('on a disk of its own (needs root)', () => {
  /** The command sees a small disk at the directory `disk`; afterwards a copy of it lies in `kept`. */
  function onDisk(options: string): CallOptions {
    const [disk, kept] = [join(place.cwd, 'disk'), join(place.cwd, 'kept')];
    rmSync(kept, { recursive: true, force: true });
    mkdirSync(disk, { recursive: true });
    const script =
      'mount -t tmpfs -o "$0" none "$1" && disk=$1 kept=$2 && shift 2 && "$@"; code=$?; cp -a "$disk" "$kept"; exit $code';
    return { through: ['unshare', '--mount', 'sh', '-c', script, options, disk, kept] };
  }

  it('that is read-only: exit 3', async () => {
    const ended = await place.seatrial(['run', 'answer', '--runs', 'disk'], onDisk('size=1m,ro'));
    expect(sentenceOf(ended, 3)).toMatch(
      /artifact write failed: .*: the file system is read-only; choose another runs directory/,
    );
  });

  it.each(someOf([8, 24, 40, 56, 72, 88]))(
    'that is full after %i KB: never a pass without its proof',
    async (kilobytes) => {
      const { code, stdout, stderr } = await place.seatrial(
        ['run', 'answer', '--runs', 'disk'],
        onDisk(`size=${kilobytes}k`),
      );
      expect(stderr).not.toMatch(/internal error|\n {4}at /);
      const kept = join(place.cwd, 'kept');
      const runs = readdirSync(kept).filter((name) => name.startsWith('2'));
      const statuses = runs.map((run) => readReport(join(kept, run)).status);
      const verified = await place.seatrial(['verify', '--all', '--runs', kept]);
      const told = code === 3 ? `${stdout}${stderr}` : verified.stdout;
      expect([0, 3]).toContain(code);
      expect(told).toMatch(code === 3 ? /artifact write failed: / : / 1 run verified/);
      expect(statuses.filter((status) => status !== (code === 3 ? 'blocked' : 'pass'))).toEqual([]);
    },
  );

  it.each([16, 64, 200])(
    'for temporary files that is full after %i KB: blocked, with what to do',
    async (kilobytes) => {
      const through = onDisk(`size=${kilobytes}k`);
      const large = place.task('large', { files: { 'answer.txt': 'no\n', 'data.bin': 'x'.repeat(400_000) } });
      // The sandbox of root has a plain user, who must get there.
      for (const dir of [place.root, place.cwd]) chmodSync(dir, 0o755);
      const env = { TMPDIR: join(place.cwd, 'disk') };
      const { code, stdout, stderr } = await place.seatrial(['run', large], { ...through, env });
      expect({ code, said: `${stdout}${stderr}`.replace(/\s+/g, ' ') }).toEqual({
        code: 2,
        said: expect.stringMatching(
          /no room in the temporary directory .*: no space is left.* next: Free space there, or set TMPDIR/,
        ),
      });
    },
  );
});
