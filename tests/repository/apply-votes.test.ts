import { afterAll, beforeAll, expect, it } from 'vitest';
import { FIX, Project } from '../support/project.ts';

const WEAKEN = "sed -i 's/== 2/is not None/' tests/test_sum.py";

let project: Project;
beforeAll(() => {
  project = new Project();
  project.git('config', 'user.name', 'Ada');
  project.git('config', 'user.email', 'ada@example.org');
});
afterAll(() => project.remove());

it('a weakened test stays at home: only what had a vote and new files are committed', async () => {
  const { code, report } = await project.ask(`${FIX}; ${WEAKEN}; echo 'def test_new(): pass' > tests/test_new.py`);
  expect([code, report.proof, report.fixed]).toEqual([0, 'fixed', ['tests/test_sum.py::test_total']]);
  expect(report.deciding?.no_vote.map(({ path }) => path).sort()).toEqual(['tests/test_new.py', 'tests/test_sum.py']);

  const applied = await project.seatrial(['apply', report.run_id]);
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.stdout).toContain('left out: tests/test_sum.py');
  expect(project.git('diff', '--name-only', 'HEAD~1').split('\n')).toEqual(['sum.py', 'tests/test_new.py']);
  expect(project.git('log', '-1', '--format=%B')).toContain('Seatrial-Left-Out: tests/test_sum.py');
  expect(project.git('status', '--porcelain', '--untracked-files=no')).toBe('');
});

it('so a second run cannot break what the first one had weakened the tests of', async () => {
  const { code, report } = await project.ask("sed -i 's/max(/None if numbers else max(/' sum.py");
  expect([code, report.failure_reason, report.base_record?.cached]).toEqual([1, 'tests newly failing: 1', false]);
});

it('--with-tests commits it, and the commit says which files had no vote', async () => {
  const { report } = await project.ask(`echo >> sum.py; ${WEAKEN}`);
  const applied = await project.seatrial(['apply', report.run_id, '--with-tests', '--branch', 'all']);
  expect(applied.code, applied.stderr).toBe(0);
  expect(project.git('diff', '--name-only', 'HEAD~1').split('\n')).toEqual(['sum.py', 'tests/test_sum.py']);
  expect(project.git('log', '-1', '--format=%B')).toContain('Seatrial-No-Vote: tests/test_sum.py');
});

it('a run that changes nothing but tests is not applied without being asked for', async () => {
  const { code, report } = await project.ask("sed -i 's/== 3/== 1 + 2/' tests/test_sum.py");
  expect([code, report.proof]).toEqual([0, 'kept']);
  const applied = await project.seatrial(['apply', report.run_id]);
  expect([applied.code, applied.stderr]).toEqual([2, expect.stringContaining('--with-tests')]);
});

it('tests inside of a source are not weakened along with it, either', async () => {
  const words = (examples: string): string =>
    `def shout(word):\n    """\n${examples}    """\n    return word.upper()\n`;
  const example = "    >>> shout('a')\n    'A'\n";
  project.commit({ 'words.py': words(example) }, 'an example that is a test');
  const ask = (text: string): ReturnType<Project['ask']> =>
    project.ask(`${FIX}; cat > words.py <<'END'\n${text}END`, ['--test', 'python3 -m pytest -q --doctest-modules']);

  const weakened = await ask(`${words("    >>> bool(shout('a'))\n    True\n")}# shouts\n`);
  expect([weakened.code, weakened.report.deciding?.own_tests], weakened.stderr).toEqual([0, ['words.py']]);
  const applied = await project.seatrial(['apply', weakened.report.run_id, '--branch', 'judged']);
  expect(applied.code, applied.stderr).toBe(0);
  expect(applied.stdout).toContain('left out: tests inside of words.py');
  expect(project.git('show', 'HEAD:words.py')).toBe(`${words(example)}# shouts`);
  project.git('checkout', '--quiet', '-');

  const all = ['--with-tests', '--no-checkout', '--branch', 'reviewed'];
  const reviewed = await project.seatrial(['apply', weakened.report.run_id, ...all]);
  expect(reviewed.code, reviewed.stderr).toBe(0);
  expect(project.git('log', '-1', '--format=%B', 'reviewed')).toContain('Seatrial-No-Vote: words.py');
});
