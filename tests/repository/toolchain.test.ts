import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { FIX, Project, TEST } from '../support/project.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

/** A program in a directory that only the caller's PATH names. */
function install(name: string, text: string): Record<string, string> {
  const dir = join(project.root, 'opt/bin');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(dir, name), 0o755);
  return { PATH: `${dir}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin` };
}

async function run(env: Record<string, string>, testCommand: string, ...args: string[]): Promise<Report> {
  const asked = ['run', '--repo', project.repo, '--ask', 'Make total right.', '--test', testCommand, '--json'];
  const { stdout, stderr } = await project.seatrial([...asked, '--engine', 'command', ...args], { env });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Report;
}

const said = (report: Report): string => readFileSync(join(report.run_dir, 'backend/stdout.log'), 'utf8');

describe('engine, tests and review find the same programs', () => {
  test('an agent on the caller’s PATH is found, and can run the tests that judge it', async () => {
    const env = install('my-agent', `${TEST} | tail -1; ${FIX}; ${TEST} | tail -1`);
    const report = await run(env, TEST, '--command', 'my-agent --quiet');
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    expect(said(report)).toMatch(/1 failed, 1 passed[\s\S]*2 passed/);
  });

  test('the command of the engine may stand after --, word by word', async () => {
    const env = install('my-agent', '[ "$2" = "two words" ] && sed -i "$1" sum.py');
    const report = await run(env, TEST, '--', 'my-agent', 's/numbers\\[1:\\]/numbers/', 'two words');
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    const asked = ['run', '--repo', project.repo, '--ask', 'x', '--test', TEST];
    const wrong = await project.seatrial([...asked, '--engine', 'fake', '--', 'my-agent']);
    expect([wrong.code, wrong.stderr]).toEqual([64, expect.stringContaining('requires --engine command')]);
  });

  test('a script that judges finds a program of the caller, which the engine has too', async () => {
    const env = install('count-lines', 'wc -l < "$1"');
    project.commit({ 'check.sh': 'count-lines sum.py && grep -q "sum(numbers)" sum.py\n' }, 'a check');
    const report = await run(env, 'sh check.sh', '--command', `count-lines sum.py; ${FIX}`, '--accept', 'exit_code');
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    expect(said(report)).toBe('6\n');
  });

  test('variables of the task, the user and git’s identity are the same for engine and tests', async () => {
    const show = 'echo "$USER|$LANG|$SHELL|$GREETING|$(git config user.name)|$(git config user.email)"';
    project.commit(
      {
        '.seatrial/task.toml': '[seatrial]\nenv = { GREETING = "good day" }\n',
        'check.sh': `${show} > said.txt; grep -q 'good day|agent|agent@localhost' said.txt && cat said.txt && grep -q 'sum(numbers)' sum.py\n`,
      },
      'a check',
    );
    const report = await run({}, 'sh check.sh', '--command', `${show}; ${FIX}`, '--accept', 'exit_code');
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    const [line = ''] = said(report).split('\n');
    expect(line).toBe('agent|C.UTF-8|/bin/sh|good day|agent|agent@localhost');
    expect(readFileSync(join(report.run_dir, 'test.log'), 'utf8')).toContain(line);
  });

  test('the virtual environment beside the repository’s files serves, and its editable package is the changed one', async () => {
    const files = {
      '.gitignore': '.venv\n',
      'src/adder.py': 'def add(a, b):\n    return a - b\n',
      'tests/test_sum.py': 'from adder import add\n\n\ndef test_add():\n    assert add(1, 2) == 3\n',
    };
    project.commit(files, 'a package');
    const venv = join(project.repo, '.venv');
    execFileSync('python3', ['-m', 'venv', '--system-site-packages', '--without-pip', venv], {
      env: { PATH: '/usr/local/bin:/usr/bin:/bin' },
    });
    const [version = ''] = readdirSync(join(venv, 'lib'));
    writeFileSync(join(venv, 'lib', version, 'site-packages/adder.pth'), `${join(project.repo, 'src')}\n`);
    const report = await run({}, TEST, '--command', "sed -i 's/a - b/a + b/' src/adder.py");
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    expect(report.toolchain).toMatchObject([{ name: 'python3', path: join(venv, 'bin/python3') }]);
    expect((await project.seatrial(['verify', report.run_id, '--rerun'])).code).toBe(0);
    const again = async (): Promise<boolean | undefined> =>
      (await run({}, TEST, '--command', "sed -i 's/a - b/a + b/' src/adder.py")).base_record?.cached;
    expect(await again()).toBe(true);
    mkdirSync(join(venv, 'lib', version, 'site-packages/other-1.0.dist-info'));
    expect(await again()).toBe(false);
  });

  test('a virtual environment that the repository itself contains is not run on this machine', async () => {
    const trap = `#!/bin/sh\ntouch ${join(project.root, 'was-run')}\n`;
    project.commit({ '.venv/pyvenv.cfg': 'home = /usr/bin\n', '.venv/bin/python3': trap }, 'a trap');
    chmodSync(join(project.repo, '.venv/bin/python3'), 0o755);
    expect((await project.ask(FIX)).report.status).toBe('pass');
    expect(existsSync(join(project.root, 'was-run'))).toBe(false);
  });

  test('tests that commit, in the tree or in a repository of their own, pass', async () => {
    project.commit(
      {
        'tests/test_git.py':
          'import subprocess\n\n\ndef commits(where):\n    for command in (["add", "-A"], ["commit", "-q", "--allow-empty", "-m", "x"]):\n        subprocess.run(["git", *command], cwd=where, check=True)\n\n\ndef test_here():\n    commits(".")\n\n\ndef test_elsewhere(tmp_path):\n    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)\n    commits(tmp_path)\n',
      },
      'tests with git',
    );
    const { report } = await project.ask(FIX);
    expect([report.status, report.blockers]).toEqual(['pass', []]);
    expect(report.tests.seen.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'passed', 'passed']);
  });
});
