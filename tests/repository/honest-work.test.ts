import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { FIX, Project, TEST } from '../support/project.ts';
import { writeBelow } from '../support/seatrial.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

const passes = (report: Report): void => expect([report.status, report.blockers]).toEqual(['pass', []]);
const patchOf = (report: Report): string => readFileSync(join(report.run_dir, 'patch.diff'), 'utf8');

describe('an ordinary change passes', () => {
  test('that leaves caches of tools behind, which are no part of it', async () => {
    const caches = 'mkdir -p __pycache__ .mypy_cache/3 && touch __pycache__/sum.pyc .mypy_cache/3/x .coverage';
    const { report } = await project.ask(`python3 -m pytest -q; ${caches}; ${FIX}`);
    passes(report);
    expect(report.changed_files).toEqual(['sum.py']);
    expect(patchOf(report)).not.toContain('cache');
  });

  test('that no longer ignores a file, and brings it', async () => {
    project.commit({ '.gitignore': '*.dat\n*.tmp\n' }, 'rules');
    const rules = "printf '*.dat\\n!names.dat\\n*.tmp\\n' > .gitignore";
    const { report } = await project.ask(`${rules}; echo ada > names.dat; touch other.dat a.tmp; ${FIX}`);
    passes(report);
    expect(report.changed_files).toEqual(['.gitignore', 'names.dat', 'sum.py']);
    const hidden = await project.ask(`echo 'evil.py' > .gitignore; touch evil.py; ${FIX}`);
    expect(hidden.report.changed_files).toContain('evil.py');
  });

  test('whose setup asks git for a version', async () => {
    project.commit({ '.gitignore': 'version.txt\n' }, 'rules');
    const { report } = await project.ask(FIX, [
      '--setup',
      'git log -1 --format=%an > version.txt && git status --short',
    ]);
    expect([report.status, report.blockers]).toEqual(['pass', []]);
  });
});

describe('submodules', () => {
  /** A repository with another one at `words`, which its test uses. */
  function withSubmodule(): string {
    const other = join(project.root, 'other');
    writeBelow(other, { 'words.py': 'def one():\n    return 1\n' });
    for (const args of [
      ['init', '--quiet'],
      ['add', '--all'],
      ['commit', '--quiet', '-m', 'first'],
    ])
      project.gitIn(other, ...args);
    project.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other, 'words');
    const uses = 'from words.words import one\n\n\ndef test_one():\n    assert one() == 1\n';
    project.commit({ 'tests/test_words.py': uses }, 'a submodule');
    return other;
  }

  test('are copied from the clone at hand, and a change does not reach into them', async () => {
    withSubmodule();
    const { report } = await project.ask(FIX);
    passes(report);
    expect(report.tests.seen.map(({ id }) => id)).toContain('tests/test_words.py::test_one');
    const reaching = await project.ask(`${FIX}; echo '# x' >> words/words.py`);
    expect(reaching.report.failure_reason).toBe('disallowed file changed: words/words.py');
  });

  test('that are not checked out block by name before any engine starts', async () => {
    withSubmodule();
    project.git('submodule', '--quiet', 'deinit', '--force', 'words');
    const asked = ['run', '--repo', project.repo, '--ask', 'x', '--test', TEST];
    const ended = await project.seatrial([...asked, '--engine', 'command', '--command', 'true']);
    expect([ended.code, ended.stdout]).toEqual([2, '']);
    expect(ended.stderr).toMatch(/submodule words is not checked out at [0-9a-f]{12} in .*git submodule update/);
  });
});

describe('a directory inside of a repository', () => {
  test('stands for the whole repository, with runs and settings at its root', async () => {
    const asked = ['run', '--repo', 'tests', '--ask', 'x', '--test', TEST, '--engine', 'command', '--command', FIX];
    const ended = await project.seatrial([...asked, '--json'], { cwd: project.repo });
    const report = JSON.parse(ended.stdout) as Report;
    passes(report);
    expect(report.changed_files).toEqual(['sum.py']);
    const inner = await project.seatrial(['runs', '--json'], { cwd: join(project.repo, 'tests') });
    expect(inner.stdout).toContain(report.run_id);
    expect(report.run_dir.startsWith(join(project.repo, '.seatrial/runs'))).toBe(true);
  });

  test('with defaults of its own has its commands run there', async () => {
    const files = {
      'pkg/.seatrial/task.toml': `[seatrial]\ntest_command = "${TEST}"\n`,
      'pkg/own.py': 'def two():\n    return 1\n',
      'pkg/test_own.py': 'from own import two\n\n\ndef test_two():\n    assert two() == 2\n',
    };
    project.commit(files, 'a package');
    const asked = ['run', '--repo', join(project.repo, 'pkg'), '--ask', 'x', '--engine', 'command'];
    const ended = await project.seatrial([...asked, '--command', "sed -i 's/1/2/' pkg/own.py", '--json']);
    const report = JSON.parse(ended.stdout) as Report;
    passes(report);
    expect(report.fixed).toEqual(['test_own.py::test_two']);
  });
});
