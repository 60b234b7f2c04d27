import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIX, Project, TEST } from '../support/project.ts';

let project: Project;

beforeEach(() => {
  project = new Project();
});

afterEach(() => project.remove());

const source = (name: string): string => readFileSync(join(project.repo, name), 'utf8');
const judge = (...args: string[]): ReturnType<Project['seatrial']> =>
  project.seatrial(['judge', '--repo', project.repo, ...args]);
const againstBase = (...args: string[]): ReturnType<Project['seatrial']> =>
  judge('--test', TEST, '--base', 'HEAD~1', ...args);

describe('judge --base', () => {
  test('says how far a pass can be trusted, as a run does', async () => {
    project.commit({ 'sum.py': source('sum.py').replace('[1:]', '') }, 'mended');
    const ended = await againstBase();
    expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining('1 fixed · checked')]);
    expect(ended.stdout).not.toContain('could forge this');
  });

  test('--must-fix fails a commit that leaves the named test failing', async () => {
    project.commit({ 'sum.py': `${source('sum.py')}\n# reviewed\n` }, 'a comment');
    const kept = await againstBase();
    expect([kept.code, kept.stdout]).toEqual([0, expect.stringContaining('nothing broke; no test was fixed')]);
    const wanted = await againstBase('--must-fix', 'tests/test_sum.py::test_total');
    expect([wanted.code, wanted.stdout]).toEqual([1, expect.stringContaining('no failing test was fixed')]);
  });

  test('--allow-deciding lets a commit change what decides, by name only', async () => {
    project.commit({ 'pytest.ini': '[pytest]\naddopts = -p no:cacheprovider\n' }, 'settings');
    const refused = await againstBase();
    expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('changes what decides: pytest.ini')]);
    expect(refused.stdout).toContain('the tests were not run with the change');
    expect(refused.stdout).not.toContain('no longer reported');
    const other = await againstBase('--allow-deciding', 'setup.cfg');
    expect(other.code).toBe(1);
    const allowed = await againstBase('--allow-deciding', 'pytest.ini');
    expect(allowed.code, allowed.stdout).toBe(0);
  });

  test('a commit that changes what no engine may fails, also without a bundle', async () => {
    project.git('config', 'filter.enc.clean', 'sh tools/clean.sh %f');
    const mended = { 'sum.py': source('sum.py').replace('[1:]', '') };
    project.commit({ ...mended, 'tools/clean.sh': 'true\n', '.husky/pre-commit': 'true\n' }, 'mended, and hooks');
    const ended = await againstBase('--allow-deciding', '**');
    expect([ended.code, ended.stdout]).toEqual([
      1,
      expect.stringContaining('disallowed file changed: .husky/pre-commit; disallowed file changed: tools/clean.sh'),
    ]);
  });

  test('--accept exit_code is needed where a command reports no tests', async () => {
    project.commit({ 'sum.py': source('sum.py').replace('[1:]', '') }, 'mended');
    const check = ['--test', 'python3 -m compileall -q sum.py', '--base', 'HEAD~1'];
    const refused = await judge(...check);
    expect([refused.code, refused.stdout]).toEqual([2, expect.stringContaining('only an exit code')]);
    const accepted = await judge(...check, '--accept', 'exit_code');
    expect(accepted.code, accepted.stdout).toBe(0);
  });

  test('takes the test command and the known failures from the base, never from the commit', async () => {
    const settings = (command: string): string =>
      `[seatrial]\ntest_command = "${command}"\nknown_failing = ["tests/test_sum.py::test_total"]\n`;
    project.commit({ '.seatrial/task.toml': settings(TEST) }, 'how it is tested');
    project.commit(
      { 'sum.py': source('sum.py').replace('max', 'min'), '.seatrial/task.toml': settings('true') },
      'broken, and another test command',
    );
    const ended = await judge('--base', 'HEAD~1');
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('tests newly failing: 1')]);
    expect(ended.stdout).not.toContain('failed   tests/test_sum.py::test_total');
    const [verdict] = ended.stdout.split('\n');
    expect(verdict, 'the verdict comes first').toMatch(/^FAIL {2}[0-9a-f]{40}: .*tests newly failing: 1/);
    expect(ended.stdout).toMatch(/^ +tests: .*\b1 failed/m);
    expect(ended.stdout).toMatch(/^failed {3}tests\/test_sum\.py::/m);
    expect(ended.stdout, 'tests that passed are counted, not listed').not.toMatch(/^passed /m);
    const unknown = await judge('--base', 'HEAD~2');
    expect([unknown.code, unknown.stderr]).toEqual([64, expect.stringContaining("give --test '<command>'")]);
  });

  test('without it the output says that nothing protects the tests, and flags about a base are refused', async () => {
    const ended = await judge('--test', `${TEST} -k biggest`);
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stdout).toContain('without --base, nothing protects the tests');
    const stray = await judge('--test', TEST, '--must-fix', 'x');
    expect([stray.code, stray.stderr]).toEqual([64, expect.stringContaining('--must-fix requires --base')]);
  });
});

describe('verify --rerun --fresh', () => {
  test('alters tests by another seed and comes to the same verdict', async () => {
    const { report } = await project.ask(FIX);
    const again = await project.seatrial(['verify', report.run_id, '--rerun', '--fresh']);
    expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('as reported')]);
    const alone = await project.seatrial(['verify', report.run_id, '--fresh']);
    expect([alone.code, alone.stderr]).toEqual([64, expect.stringContaining('--fresh requires --rerun')]);
  });
});

test('judge --base sets up the dependencies of the base', async () => {
  const needy = 'from dep.words import word\n\n\ndef test_word():\n    assert word == 1\n';
  const setup = 'mkdir dep && echo word = 1 > dep/words.py';
  project.commit({ 'tests/test_dep.py': needy, '.gitignore': 'dep/\n' }, 'needs dep');
  project.commit(
    { '.seatrial/task.toml': `[seatrial]\ntest_command = "${TEST}"\nsetup_command = "${setup}"\n` },
    'setup',
  );
  project.commit({ 'sum.py': source('sum.py').replace('[1:]', '') }, 'mended');
  const passing = expect.objectContaining({ id: 'tests/test_dep.py::test_word', outcome: 'passed' });
  const ended = await judge('--base', 'HEAD~1', '--json');
  expect([ended.code, JSON.parse(ended.stdout).seen]).toEqual([0, expect.arrayContaining([passing])]);
  const without = await judge('--base', 'HEAD~1', '--setup', '', '--json');
  expect(JSON.parse(without.stdout).seen).not.toContainEqual(passing);
  const broken = await judge('--base', 'HEAD~1', '--setup', 'exit 3');
  expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('setup command failed with exit code 3')]);
});

test('a judgement that is killed leaves nothing that runs recover does not remove', async () => {
  project.commit({ 'sum.py': source('sum.py').replace('[1:]', '') }, 'mended');
  const temporary = join(project.root, 'temporary');
  mkdirSync(temporary);
  const env = { TMPDIR: temporary };
  const running = project.start(['judge', '--repo', project.repo, '--test', TEST, '--base', 'HEAD~1'], { env });
  await expect.poll(() => readdirSync(temporary)).toHaveLength(1);
  running.child.kill('SIGKILL');
  await running.ended;
  expect(readdirSync(temporary)).toHaveLength(1);
  expect((await project.seatrial(['runs', 'recover'], { env })).code).toBe(0);
  expect(readdirSync(temporary)).toEqual([]);
});
