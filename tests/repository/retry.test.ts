import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Contract } from '../../src/task/contract.ts';
import { FIX, Project, TEST } from '../support/project.ts';
import { readReport } from '../support/seatrial.ts';

let project: Project;
beforeEach(() => void (project = new Project()));
afterEach(() => project.remove());

/** A shell line of an engine that does one thing at first, and another when it is told of a previous attempt. */
const told = (first: string, then: string): string =>
  `cat > "$TMPDIR/asked"; if grep -q 'previous attempt' "$TMPDIR/asked"; then ${then}; else ${first}; fi`;

const reports = () => project.runDirs().map((name) => readReport(join(project.runs, name)));
const attempts = () => reports().toSorted((a, b) => a.run_started_at.localeCompare(b.run_started_at));
const feedbackOf = (dir: string): string => {
  const contract = JSON.parse(readFileSync(join(dir, 'inputs/contract.json'), 'utf8')) as Contract;
  return contract.attempt?.feedback ?? '';
};
const WRONG = "sed -i 's/max(numbers)/min(numbers)/' sum.py";

describe('run --retry on a repository', () => {
  it('tells the engine which tests failed, lets it go on from its own work, and the last attempt decides', async () => {
    const agent = told(WRONG, `git diff --stat >&2; sed -i 's/min(numbers)/max(numbers)/' sum.py; ${FIX}`);
    const { code, report } = await project.ask(agent, ['--retry', '3']);
    const [first, last, ...others] = attempts();
    expect({ code, status: report.status, others }).toEqual({ code: 0, status: 'pass', others: [] });
    expect(first).toMatchObject({ status: 'fail' });
    expect(first).not.toHaveProperty('attempt');
    expect(last).toMatchObject({ run_id: report.run_id, attempt: 2, previous_run: { run_id: first?.run_id } });
    const feedback = feedbackOf(report.run_dir);
    expect(feedback).toContain('- newly failing: tests/test_sum.py::test_biggest');
    expect(feedback).toContain('assert biggest([1, 2]) == 2');
    // The engine found its first change in the tree, and the patch has only what is left of it.
    expect(readFileSync(join(report.run_dir, 'backend/stderr.log'), 'utf8')).toContain('sum.py');
    expect(readFileSync(join(report.run_dir, 'patch.diff'), 'utf8')).not.toContain('min(numbers)');
  });

  it('names all attempts in `runs show`, whichever is shown, and in the reports', async () => {
    const { report } = await project.ask(told(WRONG, FIX.replace(':', '')), ['--retry', '1']);
    for (const one of attempts()) {
      const shown = await project.seatrial(['runs', 'show', one.run_id]);
      expect(shown.stdout).toMatch(/1 +fail .*\n2 +fail /);
    }
    for (const page of ['report.html', 'report.md'])
      expect(readFileSync(join(report.run_dir, page), 'utf8')).toContain('This is attempt 2.');
  });

  it('verify checks the link to the attempt before', async () => {
    await project.ask(told(WRONG, FIX), ['--retry', '1']);
    const [first, last] = attempts();
    if (first === undefined || last === undefined) throw new Error('two attempts were expected');
    const verify = (): ReturnType<Project['seatrial']> => project.seatrial(['verify', last.run_dir]);
    expect((await verify()).stdout).toContain(`attempt 2 follows ${first.run_id}`);
    const file = join(first.run_dir, 'report.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('"fail"', '"blocked"'));
    expect(await verify()).toMatchObject({ code: 1, stdout: expect.stringContaining('is not the one that this') });
    renameSync(first.run_dir, join(project.root, 'elsewhere'));
    expect(await verify()).toMatchObject({ code: 0, stdout: expect.stringContaining('is not beside it') });
  });

  it('ends with the exit code of the last attempt when none passes', async () => {
    const { code, report } = await project.ask(WRONG, ['--retry', '2']);
    expect({ code, attempts: reports().length, last: report.attempt }).toEqual({ code: 1, attempts: 3, last: 3 });
  });

  it('goes on for each of several runs at the same time', async () => {
    const args = ['--retry', '1', '--repeat', '2', '--jobs', '2'];
    const { code, report } = await project.ask(told(WRONG, `sed -i 's/min(/max(/' sum.py; ${FIX}`), args);
    expect({ code, count: reports().length }).toEqual({ code: 0, count: 4 });
    expect(report).toMatchObject([{ attempt: 2 }, { attempt: 2 }]);
  });

  it('does not try again what was blocked', async () => {
    const { code } = await project.ask(FIX, ['--retry', '2', '--setup', 'echo >> sum.py']);
    expect({ code, attempts: reports().length }).toEqual({ code: 2, attempts: 1 });
  });

  it('Ctrl-C during an attempt ends it and starts no other', async () => {
    const marker = 'the engine waits';
    // Its last characters may be held back: they could begin a secret.
    const engine = told(WRONG, `echo '${marker} for a signal'; sleep 600`);
    const asked = ['--repo', project.repo, '--ask', 'x', '--test', TEST, '--engine', 'command', '--command', engine];
    const running = project.start(['run', ...asked, '--retry', '5', '--follow'], { ownGroup: true });
    await running.shows('attempt 2 of 6 begins');
    await expect.poll(() => stdoutOfRuns(), { timeout: 60_000 }).toContain(marker);
    running.child.kill('SIGINT');
    const { code } = await running.ended;
    expect({ code, statuses: attempts().map(({ status }) => status) }).toEqual({
      code: 2,
      statuses: ['fail', 'blocked'],
    });
    expect(attempts().at(-1)?.failure_reason).toBe('interrupted');
  });
});

function stdoutOfRuns(): string {
  const logs = project.runDirs().map((name) => join(project.runs, name, 'backend/stdout.log'));
  return logs.map((log) => (existsSync(log) ? readFileSync(log, 'utf8') : '')).join('');
}

it('an engine gets nothing of sealed tests but the names that were known before, whatever its code prints', async () => {
  const sealed = join(project.root, 'sealed');
  const source = 'from sum import total\n\n\ndef test_sealed():\n    assert total([40, 2]) == 42  # SEALED-SOURCE\n';
  mkdirSync(join(sealed, 'tests'), { recursive: true });
  writeFileSync(join(sealed, 'tests/test_sealed.py'), source);
  const spy = [
    'import base64, os, sys',
    'found = [os.path.join(d, f) for d, _, names in os.walk(".") for f in names if f.endswith(".py")]',
    'text = "".join(open(f).read() for f in found)',
    'print(text, base64.b64encode(text.encode()).decode(), file=sys.stderr)',
    'def total(numbers):',
    '    raise ValueError(text)',
    'def biggest(numbers):',
    '    return max(numbers)',
  ].join('\n');
  const agent = told(`printf '%s\\n' '${spy}' > sum.py`, ':');
  const { report } = await project.ask(agent, ['--retry', '1', '--sealed', sealed]);
  expect(report.attempt).toBe(2);
  const [first] = attempts();
  expect(readFileSync(join(first?.run_dir ?? '', 'test.log'), 'utf8')).toContain('SEALED-SOURCE');
  const feedback = feedbackOf(report.run_dir);
  expect(feedback).toContain('tests/test_sealed.py::test_sealed');
  expect(feedback).not.toMatch(/SEALED-SOURCE|40, 2|ValueError/);
});

it('--retry is refused where it would have no effect', async () => {
  const { code, stderr } = await project.seatrial(['run', '--replay', 'last', '--retry', '1']);
  expect({ code, stderr }).toEqual({ code: 64, stderr: expect.stringContaining('leave --retry out') });
});
