import { chmodSync, existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HalfDone, WORK } from '../support/kept-work.ts';

let place: HalfDone;
beforeEach(() => {
  place = new HalfDone();
});
afterEach(() => place.remove());

const KEPT = {
  status: 'blocked',
  failure_reason: 'run interrupted',
  changed_files: HalfDone.CHANGED,
  frozen_tree: { examined: 'complete', detail: null },
};

/** What the events had said of the run before it was killed. */
const DESCRIBED = {
  backend: 'command',
  backend_process_started: true,
  allowed_writes_passed: true,
  confinement: { kind: 'bubblewrap', probe_passed: true },
  writable_roots: { runtime_workspace_root: expect.stringContaining('/workspace') },
  mutation: expect.stringMatching(/\S/),
  tests: { command: expect.stringMatching(/pytest/), passed: false },
  base_record: { sha256: expect.stringMatching(/^[0-9a-f]{64}$/) },
  blocker_codes: ['run_interrupted'],
};

async function expectSound(): Promise<void> {
  const verified = await place.seatrial(['verify', '--all']);
  expect(verified.code, verified.stdout).toBe(0);
  expect((await place.recover()).stdout).toBe('nothing to recover\n');
}

const filesWith = (dir: string, text: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).includes(text));

describe('the work of an engine whose harness was killed', () => {
  it('is kept by `runs recover`, from the scratch directory, and can be applied', async () => {
    await place.kill(await place.begin());
    const { scratch } = place;
    expect(place.report.frozen_tree).toMatchObject({ examined: 'no' });
    const { code, stdout } = await place.recover();
    expect([code, stdout]).toEqual([0, expect.stringContaining('2 changed files kept')]);
    expect(place.report).toMatchObject({ ...KEPT, ...DESCRIBED });
    expect(place.patch).toContain('+    return sum(numbers)');
    expect(readFileSync(join(place.dir, 'report.md'), 'utf8')).toContain('return sum(numbers)');
    expect(existsSync(scratch)).toBe(false);
    await expectSound();
    const applied = await place.apply(place.runId, ['--unproven', '--branch', 'half']);
    expect(applied.code, applied.stderr).toBe(0);
    expect(place.git('diff', '--name-only', 'main', 'half').split('\n')).toEqual(HalfDone.CHANGED);
  });

  it('is told from what the setup made and what the base ignores', async () => {
    place.commit({ '.gitignore': '*.log\n' }, 'ignore logs');
    const setup = ['--setup', 'mkdir made; echo 1 > made/one.txt; echo 2 > made/two.txt'];
    const work = `${WORK}; echo other > made/two.txt; echo noise > noise.log`;
    await place.kill(await place.begin(work, setup));
    await place.recover();
    expect(place.report).toMatchObject({
      changed_files: HalfDone.CHANGED,
      ignored_files: ['noise.log', 'made/two.txt'],
    });
    expect(place.patch).not.toContain('made');
    await expectSound();
  });

  it('is kept without what cannot be, and nothing of the tree is followed', async () => {
    const odd = [
      'mkfifo pipe',
      'ln -s /etc/passwd out',
      'ln -s /etc folder',
      'mkdir -p inner/.git',
      'rm -rf tests; ln -s /etc tests',
    ];
    await place.kill(await place.begin([WORK, ...odd].join('\n')));
    const { code, stdout } = await place.recover();
    expect([code, stdout]).toEqual([0, expect.stringContaining('sealed')]);
    expect(place.report).toMatchObject({
      changed_files: ['folder', 'new.txt', 'out', 'sum.py', 'tests', 'tests/test_sum.py'],
      frozen_tree: { examined: 'partial', detail: expect.stringContaining('pipe: pipe') },
    });
    expect(place.patch).not.toMatch(/passwd|root:|\/etc/);
    await expectSound();
  });

  it('is not examined where its scratch directory is gone, and the report says so', async () => {
    await place.kill(await place.begin());
    rmSync(place.scratch, { recursive: true });
    const { code, stdout } = await place.recover();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/tree not examined: its scratch directory .* is gone/)]);
    expect(place.report).toMatchObject({
      changed_files: [],
      frozen_tree: { examined: 'no', detail: expect.stringContaining('is gone') },
    });
    await expectSound();
    const applied = await place.apply(place.runId, ['--unproven']);
    expect([applied.code, applied.stderr]).toEqual([2, expect.stringContaining('its tree was not examined')]);
  });

  it('is not examined where what it started from cannot be told any more', async () => {
    await place.kill(await place.begin());
    rmSync(join(place.scratch, 'before-engine.json'));
    await place.recover();
    expect(place.report.frozen_tree).toMatchObject({ examined: 'no', detail: expect.stringContaining('ENOENT') });
    await expectSound();
  });

  it('waits for an environment that knows the secrets of the run', async () => {
    const secret = 'Xk29-very-secret-7731-value';
    const env = { DEPLOY_TOKEN: secret };
    const leak = `printf %s%s ${secret.slice(0, 9)} ${secret.slice(9)} > token.txt`;
    await place.kill(await place.begin(`${WORK}; ${leak}`, [], { env }));
    const { scratch } = place;
    const without = await place.recover();
    expect([without.code, without.stdout]).toEqual([
      3,
      expect.stringMatching(/^left .* DEPLOY_TOKEN .*recover again$/m),
    ]);
    expect(existsSync(scratch)).toBe(true);
    expect((await place.seatrial(['runs'])).stdout).toMatch(/^interrupted /m);
    const { code, stdout } = await place.recover({ env });
    expect([code, stdout]).toEqual([0, expect.stringContaining('3 changed files kept')]);
    expect(place.report).toMatchObject({
      changed_files: ['new.txt', 'sum.py', 'token.txt'],
      frozen_tree: { examined: 'partial', detail: 'not kept: secret in patch: token.txt' },
    });
    expect(filesWith(place.runs, secret)).toEqual([]);
    await expectSound();
  });
});

it('a run that could not be sealed leaves the work for `runs recover`', async () => {
  // Root may write everywhere.
  const user = process.getuid?.() === 0 ? { uid: place.giveToPlainUser() } : {};
  const running = await place.begin(WORK, [], user);
  const { dir, scratch } = place;
  chmodSync(dir, 0o500);
  running.child.kill('SIGINT');
  expect((await running.ended).code).toBe(3);
  expect(existsSync(scratch)).toBe(true);
  chmodSync(dir, 0o700);
  const { code, stdout } = await place.recover(user);
  expect(code, stdout).toBe(0);
  expect(place.report).toMatchObject(KEPT);
  expect(existsSync(scratch)).toBe(false);
});
