import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { Project, TEST } from '../support/project.ts';

let project: Project;

beforeEach(() => {
  project = new Project();
});

afterEach(() => project.remove());

/** Changes what `biggest` means, and the test with it; and takes a test away. */
const REDEFINE = `sed -i 's/max(numbers)/max(numbers) + 1/; s/numbers\\[1:\\]/numbers/' sum.py
sed -i 's/biggest(\\[1, 2\\]) == 2/biggest([1, 2]) == 3/' tests/test_sum.py`;
const QUESTION = 'deciding:tests/test_sum.py';

const approve = async (run: string, ...args: string[]): Promise<{ code: number | null; report: Report }> => {
  const ended = await project.seatrial(['approve', run, ...args, '--json']);
  if (ended.stdout === '') throw new Error(`exit ${ended.code}: ${ended.stderr}`);
  return { code: ended.code, report: JSON.parse(ended.stdout) as Report };
};

describe('a change of what tests demand', () => {
  test('is asked about, approved by a person, judged again in a new bundle and applied with its tests', async () => {
    const { report: blocked } = await project.ask(REDEFINE);
    expect(blocked).toMatchObject({
      status: 'blocked',
      failure_reason: 'the patch changes what tests demand: 1',
      approvals: [{ id: QUESTION, decision: 'open' }],
    });
    const shown = await project.seatrial(['runs', 'show', blocked.run_id]);
    expect(shown.stdout).toContain(`asks: ${QUESTION}\n`);
    expect(shown.stdout).toContain(`seatrial approve ${blocked.run_id} --all`);

    const waiting = async (): Promise<unknown> => JSON.parse((await project.seatrial(['approvals', '--json'])).stdout);
    expect(await waiting()).toMatchObject([
      { run_id: blocked.run_id, id: QUESTION, kind: 'deciding', answer_by: expect.any(String) },
    ]);

    const { code, report } = await approve(blocked.run_id, QUESTION);
    expect(await waiting()).toEqual([]);
    expect([code, report.status, report.blockers]).toEqual([0, 'pass', []]);
    expect(report).toMatchObject({
      backend: 'command',
      backend_process_started: false,
      proof: 'fixed',
      parent: { run_id: blocked.run_id },
      approvals: [{ id: QUESTION, decision: 'granted', how: 'seatrial approve' }],
      deciding: { allowed: ['tests/test_sum.py'], no_vote: [] },
    });
    const checked = await project.seatrial(['verify', report.run_id, '--rerun']);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('as reported')]);
    await project.apply(report.run_id);
    expect(readFileSync(join(project.repo, 'tests/test_sum.py'), 'utf8')).toContain('biggest([1, 2]) == 3');

    const second = await project.seatrial(['approve', blocked.run_id, QUESTION]);
    expect([second.code, second.stderr]).toEqual([
      64,
      expect.stringContaining(`already approved: see run ${report.run_id}`),
    ]);
  });

  test(
    'has one answer: of two at once the second is told so, and a no ends the question',
    { tags: ['long'] },
    async () => {
      const { report: blocked } = await project.ask(REDEFINE);
      const waiting = async (): Promise<string> => (await project.seatrial(['approvals'])).stdout;
      expect(await waiting()).toMatch(new RegExp(`in 29 days .*${blocked.run_id}  command  deciding  ${QUESTION}`));
      const both = await Promise.all([
        project.seatrial(['approve', blocked.run_id, QUESTION]),
        project.seatrial(['approve', blocked.run_id, QUESTION]),
      ]);
      expect(both.map(({ code }) => code).toSorted((a, b) => (a ?? 0) - (b ?? 0))).toEqual([0, 64]);
      expect(both.find(({ code }) => code === 64)?.stderr).toMatch(/already (?:granted|approved)/);
      const late = await project.seatrial(['deny', blocked.run_id, '--all']);
      expect([late.code, late.stderr]).toEqual([64, expect.stringContaining('the first answer counts')]);

      const { report: other } = await project.ask(REDEFINE);
      const denied = await project.seatrial(['deny', other.run_id, QUESTION]);
      expect([denied.code, denied.stdout]).toEqual([0, `${QUESTION}: denied\n`]);
      expect(await waiting()).toBe('nothing waits for an answer\n');
      const yes = await project.seatrial(['approve', other.run_id, QUESTION]);
      expect([yes.code, yes.stderr]).toEqual([64, expect.stringContaining('was already denied by')]);
    },
  );

  test('counts as denied when its time is over', { tags: ['long'] }, async () => {
    const policy = join(project.root, 'policy.toml');
    writeFileSync(policy, 'answer_later_within_sec = 1\n');
    const { report: blocked } = await project.ask(REDEFINE, ['--approvals', policy]);
    await expect
      .poll(async () => (await project.seatrial(['approvals'])).stdout, { timeout: 30_000 })
      .toBe('nothing waits for an answer\n');
    const late = await project.seatrial(['approve', blocked.run_id, QUESTION]);
    expect([late.code, late.stderr]).toEqual([64, expect.stringContaining('so it counts as denied')]);
  });

  test('may remove tests from the approved file alone', { tags: ['long'] }, async () => {
    project.commit({ 'tests/test_other.py': 'def test_other():\n    pass\n' }, 'another');
    const remove = `${REDEFINE}\npython3 - <<'PY'\nimport re\np = 'tests/test_sum.py'\nt = open(p).read()\nopen(p, 'w').write(t.replace('def test_biggest', 'def test_biggest_plus_one'))\nPY`;
    const { report: blocked } = await project.ask(remove);
    expect(blocked.approvals.map(({ id }) => id)).toEqual([QUESTION]);
    const { report } = await approve(blocked.run_id, '--all');
    expect([report.status, report.blockers]).toEqual(['pass', []]);

    const { report: greedy } = await project.ask(`${remove}\nrm tests/test_other.py`);
    const { report: partly } = await approve(greedy.run_id, QUESTION);
    expect(partly.deciding?.no_vote.map(({ path }) => path)).toEqual(['tests/test_other.py']);
    await project.apply(partly.run_id);
    expect(existsSync(join(project.repo, 'tests/test_other.py'))).toBe(true);
  });

  test('stays a fail where the approved tests do not pass either', { tags: ['long'] }, async () => {
    const { report } = await project.ask(REDEFINE.replace('== 3', '== 4'));
    expect(report).toMatchObject({ status: 'fail', approvals: [] });
  });
});

test('approve refuses what was not asked, what asks nothing, and evidence that was changed', async () => {
  const { report } = await project.ask(REDEFINE);
  const refused = async (args: readonly string[]): Promise<readonly [number | null, string]> => {
    const ended = await project.seatrial(['approve', ...args]);
    return [ended.code, ended.stderr];
  };
  expect(await refused([report.run_id, 'deciding:sum.py'])).toEqual([
    64,
    expect.stringContaining(`it asks ${QUESTION}`),
  ]);
  expect(await refused([report.run_id])).toEqual([64, expect.stringContaining('no question given')]);
  const { report: passed } = await project.ask("sed -i 's/numbers\\[1:\\]/numbers/' sum.py");
  expect(await refused([passed.run_id, '--all'])).toEqual([64, expect.stringContaining('asks nothing')]);
  const patch = join(report.run_dir, 'patch.diff');
  writeFileSync(patch, readFileSync(patch, 'utf8').replace('+ 1', '+ 2'));
  expect(await refused([report.run_id, '--all'])).toEqual([2, expect.stringContaining('cannot be approved')]);
});

describe('judge --bundle', () => {
  test('keeps a signed bundle of a commit judged against its base, which verify checks and judges again', async () => {
    const base = project.git('rev-parse', 'HEAD');
    const source = readFileSync(join(project.repo, 'sum.py'), 'utf8');
    const commit = project.commit({ 'sum.py': source.replace('[1:]', '') }, 'mended');
    const judge = ['judge', '--repo', project.repo, '--base', base, '--test', TEST, '--bundle'];
    const ended = await project.seatrial([...judge, '--json']);
    const report = JSON.parse(ended.stdout) as Report;
    expect([ended.code, report.blockers]).toEqual([0, []]);
    expect(report).toMatchObject({
      status: 'pass',
      proof: 'fixed',
      backend: 'none',
      backend_process_started: false,
      judged_commit: commit,
      changed_files: ['sum.py'],
    });
    expect(existsSync(join(report.run_dir, 'eligibility.json'))).toBe(false);
    const checked = await project.seatrial(['verify', report.run_id, '--rerun']);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('as reported')]);
    const shown = await project.seatrial(['runs', 'show', report.run_id]);
    expect(shown.stdout).toContain(`PASS  adder, commit ${commit.slice(0, 12)}`);
  });

  test('needs only that nothing broke, and names what did', { tags: ['long'] }, async () => {
    const source = readFileSync(join(project.repo, 'sum.py'), 'utf8');
    const judge = (...args: string[]): ReturnType<Project['seatrial']> =>
      project.seatrial(['judge', '--repo', project.repo, '--test', TEST, '--bundle', ...args]);
    project.commit({ 'sum.py': `${source}\n# reviewed\n` }, 'a comment');
    const kept = await judge('--base', 'HEAD~1');
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('nothing broke (1 kept)')]);
    project.commit({ 'sum.py': source.replace('max', 'min') }, 'broken');
    const broken = await judge('--base', 'HEAD~1');
    expect([broken.code, broken.stdout]).toEqual([
      1,
      expect.stringContaining('newly failing  tests/test_sum.py::test_biggest'),
    ]);
    const alone = await judge();
    expect([alone.code, alone.stderr]).toEqual([64, expect.stringContaining('--bundle requires --base')]);
  });
});
