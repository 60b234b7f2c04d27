import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIX, Project, TEST } from '../support/project.ts';
import { writeBelow } from '../support/seatrial.ts';

let project: Project;

beforeEach(() => {
  project = new Project();
});

afterEach(() => project.remove());

const init = (...args: string[]): ReturnType<Project['seatrial']> => project.seatrial(['init', project.repo, ...args]);
const written = (): string => readFileSync(join(project.repo, '.seatrial/task.toml'), 'utf8');

describe('init', () => {
  test('runs the tests of HEAD and shows how they stand, and which files decide', async () => {
    project.commit({ 'tests/numbers.txt': '1 2\n', 'tests/test_data.py': readsData }, 'data of the tests');
    const ended = await init();
    expect(ended.code, ended.stderr).toBe(0);
    expect(ended.stderr).toContain(`test       ${TEST}\n`);
    expect(ended.stderr).toContain('runner     pytest; ');
    expect(ended.stderr).toContain('3 found in 2 files: 2 passed, 1 failed');
    expect(ended.stderr).toContain('failing    tests/test_sum.py::test_total\n');
    expect(ended.stderr).toContain('2 test files, and 1 other file that they use:\n           tests/numbers.txt\n');
    expect(written()).toContain(`test_command = "${TEST}"\n`);
    expect(ended.stdout).toContain('git -C adder add .seatrial/task.toml');
  });

  test('proposes failing tests as known failures, and writes them so only on request', async () => {
    await init();
    expect(written()).toContain('# known_failing = [\n#   "tests/test_sum.py::test_total",\n# ]\n');
    await init('--force', '--yes');
    expect(written()).toContain('\nknown_failing = [\n  "tests/test_sum.py::test_total",\n]\n');
    project.commit({}, 'settings');
    const ran = await project.ask("echo '# reviewed' >> sum.py");
    expect(ran.report).toMatchObject({ status: 'pass', proof: 'kept' });
  });

  test('the first run from the commit of its file need not run the tests of the base again', async () => {
    await init();
    project.commit({}, 'settings');
    const ran = await project.ask(FIX);
    expect(ran.report).toMatchObject({ status: 'pass', proof: 'fixed', base_record: { cached: true } });
    expect((await project.seatrial(['verify', ran.report.run_id])).code).toBe(0);
  });

  test('works on the repository around a subdirectory', async () => {
    const ended = await project.seatrial(['init', join(project.repo, 'tests')]);
    expect(ended.code, ended.stderr).toBe(0);
    expect(written()).toContain(`test_command = "${TEST}"\n`);
    expect(existsSync(join(project.repo, 'tests/.seatrial'))).toBe(false);
  });

  test('tests that look at its file are run again with it', async () => {
    const looks = 'import pathlib\n\n\ndef test(): assert not pathlib.Path(".seatrial/task.toml").exists()\n';
    project.commit({ 'tests/test_settings.py': looks }, 'looks');
    await init();
    project.commit({}, 'settings');
    const ran = await project.ask(FIX);
    expect(ran.report).toMatchObject({ base_record: { cached: false } });
  });

  test('writes the setup that made the tests run', async () => {
    project.commit(
      { 'tests/test_dep.py': 'from dep.words import word\n\n\ndef test(): assert word == 1\n' },
      'needs dep',
    );
    project.commit({ '.gitignore': 'dep/\n' }, 'not committed');
    const setup = 'mkdir dep && echo word = 1 > dep/words.py';
    const ended = await init('--setup', setup);
    expect(ended.stderr).toContain(`setup      ${setup}, `);
    expect(ended.stderr).toContain('3 found in 2 files: 2 passed, 1 failed');
    expect(written()).toContain(`setup_command = "${setup}"\n`);
  });

  test('writes nothing where the tests do not run, and says why with what was printed', async () => {
    const missing = await init('--test', 'vitest run');
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('not installed: vitest')]);
    expect(missing.stderr).toContain("seatrial init --test '<command>'");
    project.commit({ 'broken.sh': 'echo "cannot find the compiler" >&2\nexit 1\n' }, 'a setup that fails');
    const setup = await init('--setup', 'sh broken.sh');
    expect([setup.code, setup.stderr]).toEqual([2, expect.stringContaining('setup command failed with exit code 1')]);
    expect(setup.stderr).toContain('cannot find the compiler');
    expect(existsSync(join(project.repo, '.seatrial'))).toBe(false);
  });

  test('goes on without a package manager that is not installed, and names what to commit by force', async () => {
    const mended = 'def total(n): return sum(n)\n\n\ndef biggest(n): return max(n)\n';
    project.commit({ 'uv.lock': 'source = { registry = "x" }\n', 'sum.py': mended }, 'a lockfile');
    project.commit({ '.gitignore': '/*\n!/.gitignore\n' }, 'new files are ignored');
    const ended = await init();
    expect([ended.code, ended.stderr]).toEqual([
      0,
      expect.stringContaining('uv.lock needs uv, which is not installed'),
    ]);
    expect(ended.stderr).toContain('2 passed');
    expect(ended.stdout).toContain('add --force .seatrial/task.toml');
  });

  test('leaves the acceptance of an exit code to a person', async () => {
    const ended = await init('--test', 'python3 -m compileall -q sum.py');
    expect([ended.code, ended.stderr]).toEqual([0, expect.stringContaining('the command reports only an exit code')]);
    expect(ended.stdout).toContain('uncomment accept = "exit_code"');
    expect(written()).toContain('\n# accept = "exit_code"\n');
  });

  test('a repository without a commit, or without tests, gets one sentence', async () => {
    project.git('checkout', '--quiet', '--orphan', 'nothing');
    expect(await init()).toMatchObject({ code: 64, stderr: expect.stringContaining('has no commit yet') as string });
    project.git('rm', '-rq', '--cached', '.');
    project.git('add', 'sum.py');
    project.git('commit', '-qm', 'no tests');
    expect(await init()).toMatchObject({ code: 2, stderr: expect.stringContaining('no test command found') as string });
  });
});

test('settings that are not committed are named by run, judge and init', async () => {
  await init();
  const sentence = '.seatrial/task.toml is not committed and has no effect yet';
  const asked = ['--ask', 'x', '--engine', 'command', '--command', 'true'];
  for (const args of [
    ['run', '--repo', project.repo, ...asked],
    ['judge', '--repo', project.repo, '--base', 'HEAD'],
    ['init', project.repo],
  ]) {
    const ended = await project.seatrial(args);
    expect([ended.code, ended.stderr], args[0]).toEqual([64, expect.stringContaining(sentence)]);
  }
});

test('a run names the uncommitted changes that it leaves out, once', async () => {
  project.commit({ '.gitignore': 'out/\n' }, 'ignored');
  const { stderr: clean } = await project.ask('true');
  expect(clean).not.toContain('left out');
  writeBelow(project.repo, { 'sum.py': '#', 'b.txt': '', 'c.txt': '', 'd.txt': '', 'out/e.txt': '' });
  const { stderr } = await project.ask('true');
  expect(stderr.match(/uncommitted changes are left out/g)).toHaveLength(1);
  expect(stderr).toContain('and 1 more');
  const { stderr: before } = await project.ask('true', ['--commit', 'HEAD~1']);
  expect(before).not.toContain('left out');
  const { stderr: dirty } = await project.ask('true', ['--dirty']);
  expect(dirty).not.toContain('left out');
});

const readsData = `from pathlib import Path


def test_numbers():
    assert Path(__file__).with_name("numbers.txt").read_text() == "1 2\\n"
`;
