import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { OverlaySpace } from '../../src/confine/overlay/space.ts';
import type { BaseRecord } from '../../src/evidence/schema/base-record.ts';
import type { Report } from '../../src/evidence/schema/report.ts';
import { HalfDone, WORK as HALF_OF_IT } from '../support/kept-work.ts';
import { processesWith } from '../support/processes.ts';
import { FIX, TEST } from '../support/project.ts';
import { type CallOptions, readReport } from '../support/seatrial.ts';

let isPossible = false;
beforeAll(async () => {
  const space = await OverlaySpace.open(process.env['PATH'] ?? '');
  isPossible = space !== null;
  space?.close();
});

let place: HalfDone;
beforeEach(() => {
  place = new HalfDone();
});
afterEach(() => place.remove());

const MORE = {
  'docs/old.txt': 'old\n',
  'docs/kept.txt': 'kept\n',
  'data/one.txt': '1\n',
  'run.sh': 'true\n',
  'top.txt': 'top\n',
  'written.txt': 'one\n',
  // What the change brought must be as writable for tests as all else.
  'tests/test_write.py': "def test_write():\n    open('written.txt', 'a').close()\n",
};

/** Changes of every kind, with names by which other overlays mark deletions. */
const WORK = [
  FIX,
  'rm docs/old.txt && mkdir docs/old.txt && echo new > docs/old.txt/new.txt',
  'rm -r data && echo flat > data',
  'chmod +x run.sh',
  'mv top.txt moved.txt',
  'echo two >> written.txt',
  'mkdir docs/.wh..wh..opq && touch docs/.wh..wh..opq/x docs/.wh.kept.txt',
].join('\n');

/** The patch and what the report says of it. */
async function work(kind: 'overlay' | 'copy', user: CallOptions): Promise<{ report: Report; patch: string }> {
  const asked = ['--repo', place.repo, '--ask', 'x', '--test', TEST, '--engine', 'command', '--command', WORK];
  const { stdout, stderr } = await place.seatrial(['run', ...asked, '--json', '--workspace', kind], user);
  if (stdout === '') throw new Error(`no report: ${stderr}`);
  const report = JSON.parse(stdout) as Report;
  return { report, patch: readFileSync(join(place.runs, report.run_id, 'patch.diff'), 'utf8') };
}

describe('a run over files that other runs share', () => {
  it.each(['root', 'a plain user'])('gives %s the same change and verdict as one in a copy', async (who) => {
    place.commit(MORE, 'more');
    const isRoot = process.getuid?.() === 0;
    const user = isRoot && who === 'a plain user' ? { uid: place.giveToPlainUser() } : {};
    const over = await work('overlay', user);
    const copied = await work('copy', user);
    const kinds = [over, copied].map(({ report }) => report.confinement?.workspace);
    expect(kinds).toEqual([isPossible ? 'overlay' : 'copy', 'copy']);
    expect(over.patch).toBe(copied.patch);
    for (const { report } of [over, copied]) {
      expect(report).toMatchObject({ status: 'pass', changed_files: over.report.changed_files });
    }
    expect(over.report.changed_files).toEqual([
      'data',
      'data/one.txt',
      'docs/.wh..wh..opq/x',
      'docs/.wh.kept.txt',
      'docs/old.txt',
      'docs/old.txt/new.txt',
      'moved.txt',
      'run.sh',
      'sum.py',
      'top.txt',
      'written.txt',
    ]);
  });

  it(
    'is judged again, landed and compared over them too, by the base record that it took',
    { tags: ['long'] },
    async () => {
      const expected = isPossible ? 'overlay' : 'copy';
      const first = place.git('rev-parse', 'HEAD');
      place.git('config', 'user.name', 'Ada');
      place.git('config', 'user.email', 'ada@example.org');
      const { report } = await place.ask(FIX);
      const reportOf = async (args: readonly string[]): Promise<Report> => {
        const { stdout, stderr } = await place.seatrial([...args, '--json']);
        if (stdout === '') throw new Error(stderr);
        return JSON.parse(stdout) as Report;
      };
      const records = (): string[] =>
        readdirSync(join(place.home, '.cache/seatrial/base')).filter((name) => /^[0-9a-f]{64}\.json$/.test(name));
      const [record = ''] = records();
      const land = ['land', report.run_id, '--repo', place.repo, '--onto', 'main', '--dry-run', '--json'];
      const landed = JSON.parse((await place.seatrial(land)).stdout);
      expect(landed.runs).toMatchObject([{ outcome: 'dry run' }]);
      expect(readReport(join(place.runs, landed.runs[0].judged_in))).toMatchObject({
        confinement: { workspace: expected },
      });
      place.commit(
        {
          'sum.py':
            'def total(numbers):\n    return sum(numbers)\n\n\ndef biggest(numbers):\n    return max(numbers)\n',
        },
        'second',
      );
      const judge = ['judge', '--repo', place.repo, '--base', first, '--test', TEST];
      for (const kind of ['overlay', 'copy']) {
        const again = await place.seatrial(['verify', report.run_id, '--rerun', '--workspace', kind]);
        expect([again.code, again.stdout]).toEqual([
          0,
          expect.stringContaining('judged again: passed, 2 tests, as reported'),
        ]);
      }
      const bundle = await reportOf([...judge, '--bundle', '--workspace', 'copy']);
      expect(bundle).toMatchObject({ status: 'pass', confinement: { workspace: 'copy' } });
      const compare = [
        'compare',
        '--repo',
        place.repo,
        '--commit',
        first,
        '--ask',
        'x',
        '--test',
        TEST,
        '--engines',
        'command',
        '--command',
        FIX,
        '--repeat',
        '1',
      ];
      const compared = JSON.parse((await place.seatrial([...compare, '--json'])).stdout);
      const [run = ''] = readdirSync(join(compared.comparison_dir, 'runs')).filter((name) => name.includes('adder'));
      expect(readReport(join(compared.comparison_dir, 'runs', run))).toMatchObject({
        status: 'pass',
        confinement: { workspace: expected },
      });
      // A record that says otherwise is believed, so the tests of the base were not run again.
      expect(records()).toEqual([record]);
      const file = join(place.home, '.cache/seatrial/base', record);
      writeFileSync(file, readFileSync(file, 'utf8').replace('"passed"', '"failed"'));
      const judged = await place.seatrial(judge);
      expect([judged.code, judged.stdout]).toEqual([
        0,
        expect.stringContaining('flaky, without a vote: tests/test_sum.py::test_biggest'),
      ]);
    },
  );

  it('is seen to use the same files as one in a copy, and none that only git looked at', async () => {
    const calls =
      "import subprocess\n\n\ndef test_clean():\n    assert subprocess.check_output(['git', 'status', '-s']) == b''\n";
    // Of this very second, in which git doubts what it knows of files.
    place.commit({ ...MORE, 'tests/test_git.py': calls, '.notes/by-git.txt': 'x' }, 'more');
    const recordOf = async (kind: 'overlay' | 'copy'): Promise<BaseRecord> => {
      rmSync(join(place.home, '.cache/seatrial/base'), { recursive: true, force: true });
      const { report } = await work(kind, {});
      return JSON.parse(readFileSync(join(place.runs, report.run_id, 'base-record.json'), 'utf8')) as BaseRecord;
    };
    const { duration_ms: _over, ...over } = await recordOf('overlay');
    const { duration_ms: _copied, ...copied } = await recordOf('copy');
    expect(over).toEqual(copied);
    expect(over.asked).not.toContain('.notes/by-git.txt');
  });

  it('does not use files that were changed in the cache, and is made again over fresh ones', async () => {
    place.commit(MORE, 'more');
    const before = await work('copy', {});
    appendFileSync(join(cachedFiles(), 'sum.py'), '# changed\n');
    const after = await work('copy', {});
    expect(after.report).toMatchObject({ status: 'pass' });
    expect(after.patch).toBe(before.patch);
    const codes = readdirSync(place.runs)
      .filter((name) => existsSync(join(place.runs, name, 'report.json')))
      .map((name) => (JSON.parse(readFileSync(join(place.runs, name, 'report.json'), 'utf8')) as Report).blocker_codes);
    expect(codes.flat()).toEqual(['cached_files_changed']);
    expect(codes).toHaveLength(3);
  });

  it.each([
    [
      'the process that keeps its mounts',
      () =>
        mountedBelow(place.scratch)
          .filter(isKeeper)
          .forEach((pid) => process.kill(Number(pid), 'SIGKILL')),
    ],
    ['the cache', () => rmSync(join(place.home, '.cache/seatrial/trees'), { recursive: true })],
    ['some of the cached files', () => rmSync(join(cachedFiles(), 'tests'), { recursive: true })],
  ])('is blocked and keeps the work of its engine where somebody takes %s away', async (_what, takeAway) => {
    const running = await place.begin(`${HALF_OF_IT}; sleep ${place.nap}; exit 0`);
    takeAway();
    for (const pid of processesWith(/^sleep /, place.nap)) process.kill(pid, 'SIGKILL');
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([
      2,
      expect.stringContaining(isPossible ? 'the files under the workspace are gone' : ''),
    ]);
    expect(place.report).toMatchObject({ status: 'blocked', changed_files: HalfDone.CHANGED });
    expect(place.patch).toContain('+    return sum(numbers)');
    expect((await place.seatrial(['verify', place.runId])).code).toBe(0);
  });

  it('works where nothing can be cached', async () => {
    mkdirSync(join(place.home, '.cache'), { recursive: true });
    writeFileSync(join(place.home, '.cache/seatrial'), 'no directory');
    const { report } = await place.ask(FIX);
    expect(report).toMatchObject({ status: 'pass', confinement: { workspace: 'copy' } });
  });

  it('works where what is cached can neither be used nor removed', { tags: ['long'] }, async () => {
    place.commit(MORE, 'more');
    const user = process.getuid?.() === 0 ? { uid: place.giveToPlainUser() } : {};
    const before = await work('copy', user);
    execFileSync('chmod', ['-R', 'a-w', join(place.home, '.cache/seatrial')]);
    try {
      const after = await work('copy', user);
      expect(after.report).toMatchObject({ status: 'pass' });
      expect(after.patch).toBe(before.patch);
    } finally {
      execFileSync('chmod', ['-R', 'u+w', join(place.home, '.cache/seatrial')]);
    }
  });

  it('leaves no mount behind when it is killed, and its work can be recovered', async ({ skip }) => {
    if (!isPossible) skip('overlays cannot be mounted on this machine');
    const running = await place.begin();
    const { scratch } = place;
    expect(mountedBelow(scratch)).not.toEqual([]);
    await place.kill(running);
    await vi.waitUntil(() => mountedBelow(scratch).length === 0, { timeout: 60_000 });
    const { code, stdout } = await place.recover();
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 changed files kept')]);
    expect(place.report).toMatchObject({ changed_files: HalfDone.CHANGED, confinement: { workspace: 'overlay' } });
    expect(existsSync(scratch)).toBe(false);
  });
});

function cachedFiles(): string {
  const trees = join(place.home, '.cache/seatrial/trees');
  const entry = readdirSync(trees).find((name) => /^[0-9a-f]{64}$/.test(name)) ?? '';
  return join(trees, entry, 'tree');
}

const isKeeper = (pid: string): boolean => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('seatrial-space');

/** Processes in whose mount namespace something is mounted below a directory. */
function mountedBelow(dir: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readFileSync(`/proc/${pid}/mountinfo`, 'utf8').includes(`${dir}/`);
      } catch {
        return false; // It has ended.
      }
    });
}
