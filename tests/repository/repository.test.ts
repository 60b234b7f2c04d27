import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIX, Project, TEST } from '../support/project.ts';
import { decidedBy } from '../support/decided-by.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

describe('a run of an own repository', () => {
  test('passes with the tests before and after, and leaves the repository alone', async () => {
    const before = project.git('status', '--porcelain', '--ignored');
    const { code, report } = await project.ask(FIX);
    expect(report).toMatchObject({ status: 'pass', changed_files: ['sum.py'], task: 'adder' });
    expect(code).toBe(0);
    expect(report.baseline).toMatchObject({
      kind: 'before',
      comparison: {
        tests: {
          fixed: ['tests/test_sum.py::test_total'],
          still_passing: ['tests/test_sum.py::test_biggest'],
          newly_failing: [],
          no_longer_reported: [],
          still_failing: [],
        },
      },
    });
    expect(project.git('status', '--porcelain', '--ignored')).toBe(before);
    expect((await project.seatrial(['verify', report.run_id, '--rerun'])).code).toBe(0);
  });

  test('is judged by the tests of the base, unless a change of them was allowed by name', async () => {
    const cheat = "sed -i 's/== 3/== 2/' tests/test_sum.py";
    for (const args of [[], ['--allow', '**']]) {
      const { code, report } = await project.ask(cheat, args);
      expect([code, report.blocker_codes]).toEqual([1, decidedBy('nothing_fixed')]);
      expect(report).toMatchObject({
        proof: null,
        fixed: [],
        deciding: { no_vote: [{ path: 'tests/test_sum.py' }], refused: [], allowed: [] },
      });
    }
    const { report } = await project.ask(cheat, ['--allow-deciding', 'tests/**']);
    expect(report).toMatchObject({
      status: 'pass',
      deciding: { no_vote: [], allowed: ['tests/test_sum.py'] },
    });
  });

  test('fails unless the tests that must be fixed are', async () => {
    const wanted = ['--must-fix', 'tests/test_sum.py::test_total'];
    expect((await project.ask(FIX, wanted)).report).toMatchObject({ status: 'pass', proof: 'fixed' });
    const { report } = await project.ask(FIX, ['--must-fix', 'tests/test_sum.py::test_biggest']);
    expect(report).toMatchObject({ status: 'fail', blocker_codes: decidedBy('nothing_fixed') });
  });

  test('with nothing but an exit code passes only where that was accepted, and proves no test', async () => {
    const args = ['--test', 'grep -q return sum.py'];
    const refused = await project.ask('echo "# more" >> sum.py', args);
    expect([refused.code, refused.report.blocker_codes]).toEqual([2, decidedBy('only_exit_code')]);
    const { report } = await project.ask('echo "# more" >> sum.py', [...args, '--accept', 'exit_code']);
    expect(report).toMatchObject({ status: 'pass', fixed: [], tests: { isolation: 'exit_code' } });
    const shown = await project.seatrial(['runs', 'show', report.run_id]);
    expect(shown.stdout).toContain('only an exit code was checked');
    expect((await project.seatrial(['verify', report.run_id, '--rerun'])).code).toBe(0);
    const fixed = await project.ask('echo "# more" >> sum.py', [
      '--test',
      'grep -q more sum.py',
      '--accept',
      'exit_code',
    ]);
    const told = await project.seatrial(['runs', 'show', fixed.report.run_id]);
    expect(told.stdout).toContain('the test command failed before and succeeds now');
  });

  test('names the tests that a change broke', { tags: ['long'] }, async () => {
    const { report } = await project.ask(`${FIX}; sed -i 's/max/min/' sum.py`);
    expect(report).toMatchObject({
      status: 'fail',
      failure_reason: 'tests newly failing: 1',
      blockers: ['tests newly failing: 1'],
    });
    expect(report.baseline?.comparison.tests).toMatchObject({ newly_failing: ['tests/test_sum.py::test_biggest'] });
  });

  test('starts from the commit that was named, or with --dirty from the work tree', { tags: ['long'] }, async () => {
    const first = project.git('rev-parse', 'HEAD');
    project.commit({ 'later.txt': 'later\n' }, 'second');
    writeFileSync(join(project.repo, 'sum.py'), readFileSync(join(project.repo, 'sum.py'), 'utf8').replace('[1:]', ''));
    writeFileSync(join(project.repo, 'untracked.txt'), 'new\n');
    writeFileSync(join(project.repo, '.gitignore'), 'secret.txt\n');
    writeFileSync(join(project.repo, 'secret.txt'), 'ignored\n');
    const see = 'ls > seen.txt';
    const old = await project.ask(`${see}; ${FIX}`, ['--commit', first]);
    expect(readFileSync(join(old.report.run_dir, 'patch.diff'), 'utf8')).not.toContain('later.txt');
    const dirty = await project.ask(see, ['--dirty']);
    expect(dirty.report.status).toBe('pass');
    const patch = readFileSync(join(dirty.report.run_dir, 'patch.diff'), 'utf8');
    expect(patch).toContain('+untracked.txt');
    expect(patch).not.toContain('secret.txt');
  });

  test('reads its defaults from the repository, which `init` writes', async () => {
    const init = await project.seatrial(['init', project.repo]);
    expect(init.code).toBe(0);
    expect(init.stderr).toContain(`test       ${TEST}\n`);
    expect((await project.seatrial(['init', project.repo])).code).toBe(64);
    project.commit({}, 'defaults');
    const args = [
      '--repo',
      project.repo,
      '--ask',
      'Make total right.',
      '--engine',
      'command',
      '--command',
      FIX,
      '--json',
    ];
    const ended = await project.seatrial(['run', ...args]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'pass', tests: { command: TEST } });
  });

  test('tells what a copy does not hold: git-lfs pointers', { tags: ['long'] }, async () => {
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'a'.repeat(64)}\nsize 1\n`;
    project.commit({ 'big.bin': pointer }, 'large');
    const { stderr, report } = await project.ask(FIX);
    expect(stderr).toContain('note: big.bin is a git-lfs pointer: its contents are not in the copy');
    expect(report.status).toBe('pass');
  });

  test.each([
    ['no ask', [], /no instruction given/],
    ['no such commit', ['--ask', 'x', '--commit', 'nowhere'], /there is no commit nowhere/],
    ['a file that is not there', ['--ask-file', 'none.md'], /cannot read none\.md/],
    ['both asks', ['--ask', 'x', '--ask-file', 'y'], /not both/],
    ['no oracle for the fake engine', ['--ask', 'x', '--engine', 'fake'], /fake works on tasks only/],
  ])('with %s gets one sentence and leaves nothing', async (_what, args, sentence) => {
    const engine = args.includes('--engine') ? [] : ['--engine', 'command', '--command', 'true'];
    const ended = await project.seatrial(['run', '--repo', project.repo, '--test', TEST, ...engine, ...args]);
    expect(ended).toMatchObject({ code: 64, stdout: '' });
    expect(ended.stderr).toMatch(sentence);
    expect(ended.stderr.trim().split('\n')).toHaveLength(1);
    expect(existsSync(project.runs)).toBe(false);
  });

  test('a directory that is no repository, and a URL that leads nowhere, are told apart', async () => {
    rmSync(join(project.repo, '.git'), { recursive: true });
    expect(
      await project.seatrial([
        'run',
        '--repo',
        project.repo,
        '--ask',
        'x',
        '--test',
        TEST,
        '--engine',
        'command',
        '--command',
        'true',
      ]),
    ).toMatchObject({ code: 64 });
    const url = `file://${project.root}/nowhere`;
    const away = await project.seatrial([
      'run',
      '--repo',
      url,
      '--ask',
      'x',
      '--test',
      TEST,
      '--engine',
      'command',
      '--command',
      'true',
    ]);
    expect(away.code).toBe(2);
    expect(away.stderr).toContain('cannot be cloned');
  });

  test('a repository behind a URL is cloned for the run alone', { tags: ['long'] }, async () => {
    const ended = await project.seatrial([
      'run',
      '--repo',
      `file://${project.repo}`,
      '--ask',
      'Make total right.',
      '--test',
      TEST,
      '--engine',
      'command',
      '--command',
      FIX,
      '--json',
    ]);
    expect(JSON.parse(ended.stdout)).toMatchObject({ status: 'pass' });
  });

  test(
    'a link in the work tree that leads out does not come along with --dirty unnoticed',
    { tags: ['long'] },
    async () => {
      symlinkSync('/etc/passwd', join(project.repo, 'out'));
      const { report } = await project.ask(FIX, ['--dirty']);
      expect(report).toMatchObject({ status: 'blocked', failure_reason: 'link out of the tree: out -> /etc/passwd' });
    },
  );
});
