import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIX, Project, TEST } from '../support/project.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

const EVERYTHING = ['--allow', '**'];
const TOTAL = 'tests/test_sum.py::test_total';
const BIGGEST = 'tests/test_sum.py::test_biggest';
const MANY =
  'import pytest\nfrom sum import biggest\n\n\n@pytest.mark.parametrize("n", range(421))\ndef test_many(n):\n    assert biggest([n, n - 1]) == n\n';

describe('a change that mends what was asked, and loses other tests, fails', () => {
  test.each([
    ['breaks 421 of them', `${FIX}; sed -i 's/max/min/' sum.py`, 'tests newly failing: 422'],
    ['deletes a test file', `${FIX}; rm tests/test_many.py`, 'tests no longer reported: 421'],
    ['deletes one test', `${FIX}; sed -i '/def test_biggest/,$d' tests/test_sum.py`, 'tests no longer reported: 1'],
    ['renames tests', `${FIX}; sed -i s/test_biggest/test_largest/ tests/test_sum.py`, 'tests no longer reported: 1'],
    [
      'has tests skipped',
      `${FIX}; printf 'import pytest\\n\\n\\ndef pytest_collection_modifyitems(items):\\n    for item in items[:421]:\\n        item.add_marker(pytest.mark.skip)\\n' > conftest.py`,
      'tests no longer reported: 421',
    ],
    [
      'has other tests collected',
      `${FIX}; printf '[pytest]\\ntestpaths = tests/test_sum.py\\n' > pytest.ini`,
      'tests no longer reported: 421',
    ],
    [
      'has them skip themselves',
      `${FIX}; sed -i 's/^import pytest/import pytest\\npytest.skip(allow_module_level=True)/' tests/test_many.py`,
      'tests no longer reported: 421',
    ],
  ])('%s', async (_what, change, reason) => {
    project.commit({ 'tests/test_many.py': MANY }, 'many');
    const { code, report } = await project.ask(change, EVERYTHING);
    expect([code, report.status, report.failure_reason]).toEqual([1, 'fail', reason]);
    expect((await project.seatrial(['verify', report.run_id])).code).toBe(0);
    expect((await project.apply(report.run_id)).code).toBe(2);
  });

  test.each([
    ['removing it', "sed -i '/def test_total/,/== 3/d' tests/test_sum.py"],
    ['skipping it', "sed -i 's/^def test_total/import pytest\\n@pytest.mark.skip\\ndef test_total/' tests/test_sum.py"],
  ])('as does getting rid of the failing test by %s', async (_what, change) => {
    const { code, report } = await project.ask(change, EVERYTHING);
    expect([code, report.failure_reason]).toEqual([1, 'tests no longer reported: 1']);
    expect(report.baseline?.comparison.tests).toMatchObject({ fixed: [], no_longer_reported: [TOTAL] });
  });
});

test('the tests are named on the terminal, in the report and in its page', async () => {
  const args = ['run', '--repo', project.repo, '--ask', 'x', '--test', TEST, '--engine', 'command', ...EVERYTHING];
  const ended = await project.seatrial([
    ...args,
    '--command',
    `${FIX}; sed -i s/test_biggest/test_largest/ tests/test_sum.py`,
  ]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/^FAIL {2}adder by command in .*\n {6}tests no longer reported: 1$/m);
  expect(ended.stdout).toContain(`      no longer reported: ${BIGGEST}\n`);
  const [run = ''] = project.runFolders();
  for (const file of ['report.md', 'report.html']) {
    const text = readFileSync(join(project.runs, run, file), 'utf8');
    expect(text.indexOf(BIGGEST)).toBeGreaterThan(text.indexOf('tests no longer reported: 1'));
    expect(text).toContain('skipped or missing');
  }
});

test('tests that were written before their module pass with it, and the others were run before as well', async () => {
  project.commit(
    { 'tests/test_new.py': 'from new import answer\n\n\ndef test_answer():\n    assert answer() == 42\n' },
    'first',
  );
  const { report } = await project.ask(`${FIX}; printf 'def answer():\\n    return 42\\n' > new.py`);
  expect(report).toMatchObject({
    status: 'pass',
    baseline: {
      comparison: {
        tests: {
          fixed: expect.arrayContaining(['tests/test_new.py::test_answer', TOTAL]),
          still_passing: [BIGGEST],
          no_longer_reported: [],
        },
      },
    },
  });
});

test('a test script that only the change brings is not run', async () => {
  const args = ['--test', 'sh run-tests.sh', ...EVERYTHING];
  const { code, report } = await project.ask("echo 'exit 0' > run-tests.sh", args);
  expect([code, report.status, report.failure_reason]).toEqual([2, 'blocked', 'not installed: run-tests.sh']);
});

test('judging again comes to the same, from the inputs of the bundle alone', async () => {
  const { report } = await project.ask(
    `${FIX}; rm tests/test_sum.py; echo 'def test_x(): pass' > test_x.py`,
    EVERYTHING,
  );
  expect(report.blockers).toEqual(['tests no longer reported: 2']);
  const again = await project.seatrial(['verify', report.run_id, '--rerun']);
  expect(again.code, again.stdout).toBe(0);
  expect(again.stdout).toContain('did not pass (tests no longer reported: 2), 1 tests, as reported');
});

describe('a commit is judged against its base', () => {
  const judge = (...args: string[]): ReturnType<Project['seatrial']> =>
    project.seatrial(['judge', '--repo', project.repo, '--test', TEST, ...args]);

  test('and fails for tests that it lost, each by name', async () => {
    project.commit(
      { 'tests/test_sum.py': 'from sum import total\n\n\ndef test_small():\n    assert total([0]) == 0\n' },
      'fewer',
    );
    const alone = await judge();
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('without --base nothing shows')]);
    const ended = await judge('--base', 'HEAD~1');
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain(': tests no longer reported: 2\n');
    for (const id of [TOTAL, BIGGEST]) expect(ended.stdout).toContain(`no longer reported: ${id}\n`);
  });

  test('and passes when it mends and breaks nothing', async () => {
    const before = project.git('rev-parse', 'HEAD');
    const source = readFileSync(join(project.repo, 'sum.py'), 'utf8');
    const mended = project.commit({ 'sum.py': source.replace('[1:]', '') }, 'mended');
    const ended = await judge('--base', before, '--json');
    expect(ended.code).toBe(0);
    expect(JSON.parse(ended.stdout)).toMatchObject({
      verdict: 'pass',
      commit: mended,
      base: { commit: before, verdict: 'fail', tests: { fixed: [TOTAL], still_passing: [BIGGEST] } },
    });
  });

  test('and what npm test means comes from there', async () => {
    project.commit({ 'package.json': '{"scripts":{"test":"sh check.sh"}}', 'check.sh': 'ok one\n' }, 'npm');
    project.commit({ 'package.json': '{"scripts":{"test":"true"}}', 'check.sh': 'not_ok one\nexit 1\n' }, 'cheat');
    const ended = await project.seatrial(['judge', '--repo', project.repo, '--test', 'npm test', '--base', 'HEAD~1']);
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('tests newly failing: 1')]);
  });
});
