import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { someOf } from '../../src/kernel/some-of.fixture.ts';
import { writeBelow } from '../support/seatrial.ts';
import { HalfDone, WORK } from '../support/kept-work.ts';
import { decidedBy } from '../support/decided-by.ts';

let place: HalfDone;
beforeEach(() => {
  place = new HalfDone();
});
afterEach(() => place.remove());

const COMPLETE = { examined: 'complete', detail: null };

async function expectKept(): Promise<void> {
  expect(place.report).toMatchObject({
    status: 'blocked',
    blocker_codes: decidedBy('interrupted'),
    changed_files: HalfDone.CHANGED,
    frozen_tree: COMPLETE,
    tests: { passed: false },
  });
  expect(place.patch).toContain('+    return sum(numbers)');
  expect(place.patch).toContain('+++ b/new.txt');
  const verified = await place.seatrial(['verify', place.runId, '--rerun']);
  expect(verified.code, verified.stdout).toBe(0);
}

describe('an engine that is interrupted', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s: its tree is frozen and its patch kept', async (signal) => {
    const running = await place.begin();
    running.child.kill(signal);
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([2, expect.stringContaining('changed: new.txt, sum.py')]);
    await expectKept();
  });

  it.each(['SIGINT', 'SIGHUP'] as const)(
    '%s from a terminal, which reaches every process of the command, twice: the same',
    { tags: ['long'] },
    async (signal) => {
      const running = await place.begin(WORK, [], { ownGroup: true });
      const { pid = 0 } = running.child;
      process.kill(-pid, signal);
      process.kill(-pid, signal);
      expect((await running.ended).code).toBe(2);
      await expectKept();
    },
  );

  it('its unproven patch can be applied', { tags: ['long'] }, async () => {
    const running = await place.begin();
    running.child.kill('SIGINT');
    await running.ended;
    expect(await place.apply(place.runId)).toMatchObject({ code: 2 });
    const applied = await place.apply(place.runId, ['--unproven', '--branch', 'half']);
    expect(applied, applied.stderr).toMatchObject({ code: 0 });
    expect(place.git('diff', '--name-only', 'main', 'half').split('\n')).toEqual(HalfDone.CHANGED);
    expect(place.git('log', '-1', '--format=%(trailers:key=Seatrial-Status,valueonly)', 'half')).toContain('unproven');
  });

  it('the same without confinement', { tags: ['long'] }, async () => {
    const running = await place.begin(WORK, ['--confine', 'none']);
    running.child.kill('SIGINT');
    expect((await running.ended).code).toBe(2);
    await expectKept();
  });

  it('that changed nothing is told apart from one that was not examined', async () => {
    const running = await place.begin(':');
    running.child.kill('SIGINT');
    expect((await running.ended).stdout).toContain('no file changed');
    expect(place.report).toMatchObject({
      changed_files: [],
      frozen_tree: COMPLETE,
      blocker_codes: decidedBy('interrupted'),
    });
    expect(place.report.blockers).not.toContain('no diff produced');
  });

  it('what it may not change is named, and kept as evidence', async () => {
    const running = await place.begin('mkdir .githooks; echo more > .githooks/post-merge');
    running.child.kill('SIGTERM');
    await running.ended;
    expect(place.report).toMatchObject({
      blocker_codes: decidedBy('interrupted'),
      blockers: expect.arrayContaining(['disallowed file changed: .githooks/post-merge']),
      disallowed_writes: ['.githooks/post-merge'],
    });
    expect(place.patch).toContain('+more');
  });

  it('what cannot be kept of its tree is listed, and the rest is kept', async () => {
    const secret = 'Xk29-very-secret-7731-value';
    const odd = [
      'mkfifo pipe',
      'ln -s /etc/passwd out',
      'mkdir -p inner/.git',
      'echo code > inner/code.txt',
      `printf %s%s ${secret.slice(0, 9)} ${secret.slice(9)} > token.txt`,
    ];
    const running = await place.begin([WORK, ...odd].join('\n'), [], { env: { DEPLOY_TOKEN: secret } });
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([2, expect.stringContaining('not kept: ')]);
    const notKept = [
      'pipe: pipe',
      'link out of the tree: out -> /etc/passwd',
      'nested repository: inner/.git',
      'secret in patch: token.txt',
    ];
    expect(place.report).toMatchObject({
      blocker_codes: decidedBy('interrupted'),
      blockers: expect.arrayContaining(notKept),
      changed_files: ['inner/code.txt', 'new.txt', 'out', 'sum.py', 'token.txt'],
      frozen_tree: { examined: 'partial', detail: expect.stringContaining('pipe: pipe') },
    });
    expect(place.patch).toContain('+++ b/inner/code.txt');
    expect(place.patch).not.toMatch(/passwd|token\.txt|secret/);
    expect((await place.seatrial(['verify', place.runId])).code).toBe(0);
  });
});

describe('a tree that blocks a run which was not interrupted', () => {
  it('is kept but for what cannot be', async () => {
    const { code, report } = await place.ask(`${WORK}; mkfifo pipe`);
    expect({ code, report }).toMatchObject({
      code: 2,
      report: { failure_reason: 'pipe: pipe', frozen_tree: { examined: 'partial', detail: 'not kept: pipe: pipe' } },
    });
    expect(report.changed_files).toEqual(HalfDone.CHANGED);
    expect(place.patch).toContain('+++ b/new.txt');
    expect((await place.seatrial(['verify', place.runId])).code).toBe(0);
  });

  it('shows no file as removed only because its directory was closed', async () => {
    place.commit({ 'closed/a.txt': 'a\n' }, 'closed');
    const uid = process.getuid?.() === 0 ? { uid: place.giveToPlainUser() } : {};
    const asked = [
      'run',
      '--repo',
      place.repo,
      '--ask',
      'x',
      '--test',
      'true',
      '--accept',
      'exit_code',
      '--engine',
      'command',
      '--command',
    ];
    const { code } = await place.seatrial([...asked, 'echo new > new.txt; chmod 000 closed'], uid);
    expect(code).toBe(2);
    expect(place.report).toMatchObject({ changed_files: ['new.txt'], frozen_tree: { examined: 'partial' } });
    expect(place.patch).not.toContain('closed');
  });
});

it.each(someOf(['echo other > made.txt', 'rm made.txt']))(
  '%s, which the setup made: the rest of the change counts',
  async (odd) => {
    const { code, report } = await place.ask(`${WORK}; ${odd}`, ['--setup', 'echo made > made.txt']);
    expect({ code, report }).toMatchObject({
      code: 0,
      report: { status: 'pass', changed_files: HalfDone.CHANGED, ignored_files: ['made.txt'] },
    });
  },
);

it('a deadline keeps the patch, whatever the tests say of it', async () => {
  const task = place.task('late', {
    toml: '[agent]\ntimeout_sec = 2\n[seatrial]\ntest_command = "sh test.sh"\n',
  });
  const engine = ['--engine', 'command', '--command', 'echo perhaps > answer.txt; sleep 600'];
  const { code, report } = await place.run(task, engine);
  expect({ code, report }).toMatchObject({
    code: 1,
    report: {
      status: 'fail',
      failure_reason: 'command engine failed with exit code 124',
      changed_files: ['answer.txt'],
      frozen_tree: COMPLETE,
    },
  });
  expect(place.patch).toContain('+perhaps');
});

describe('a run that is interrupted before its engine', () => {
  it('says that there was nothing to examine', async () => {
    const asked = ['--repo', place.repo, '--ask', 'x', '--test', 'true', '--setup', `sleep ${place.nap}`];
    const running = place.start(['run', ...asked, '--engine', 'command', '--command', WORK]);
    await place.untilAsleep();
    running.child.kill('SIGINT');
    const { code, stdout } = await running.ended;
    expect([code, stdout]).toEqual([2, expect.stringContaining('changes not examined: the engine was not started')]);
    expect(place.report).toMatchObject({
      blocker_codes: decidedBy('interrupted'),
      changed_files: [],
      frozen_tree: { examined: 'no', detail: 'the engine was not started' },
    });
    expect((await place.seatrial(['verify', place.runId])).code).toBe(0);
    const applied = await place.apply(place.runId, ['--unproven']);
    expect([applied.code, applied.stderr]).toEqual([2, expect.stringContaining('its tree was not examined')]);
  });
});

describe('a second Ctrl-C', () => {
  it(
    'does not wait for the examination, and the report does not say that there was one',
    { tags: ['long'] },
    async () => {
      const running = await place.begin(`${WORK}; truncate -s 1900M large`);
      running.child.kill('SIGINT');
      await running.shows(' freeze\n');
      running.child.kill('SIGINT');
      const { code, stdout, stderr } = await running.ended;
      expect([code, stdout]).toEqual([2, '']);
      expect(stderr).toContain('`seatrial runs recover`');
      expect(place.report).toMatchObject({
        status: 'blocked',
        blocker_codes: decidedBy('run_interrupted'),
        changed_files: [],
        frozen_tree: { examined: 'no', detail: 'the run did not get that far' },
      });
      expect((await place.seatrial(['verify', place.runId])).stdout).toContain('unsealed');
    },
  );
});

it('a bundle that says more or less about its tree than its events is found out', { tags: ['long'] }, async () => {
  const running = await place.begin();
  running.child.kill('SIGINT');
  await running.ended;
  const report = { ...place.report, frozen_tree: { examined: 'no', detail: 'nobody looked' } };
  writeBelow(place.dir, { 'report.json': `${JSON.stringify(report, null, 2)}\n` });
  const verified = await place.seatrial(['verify', join(place.runs, place.runId)]);
  expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining('frozen_tree differs')]);
});
