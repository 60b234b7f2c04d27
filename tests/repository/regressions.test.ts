import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FIX, Project, TEST } from '../support/project.ts';
import { decidedBy } from '../support/decided-by.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';

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

describe('a change has no vote on the tests that judge it', () => {
  const BREAK = "sed -i 's/max/min/' sum.py";
  const LOSSES = [
    ['deletes a test file', 'rm tests/test_many.py', 'tests/test_many.py'],
    ['deletes one test', "sed -i '/def test_biggest/,$d' tests/test_sum.py", 'tests/test_sum.py'],
    ['renames tests', 'sed -i s/test_biggest/test_largest/ tests/test_sum.py', 'tests/test_sum.py'],
    [
      'has them skip themselves',
      "sed -i 's/^import pytest/import pytest\\npytest.skip(allow_module_level=True)/' tests/test_many.py",
      'tests/test_many.py',
    ],
  ] as const;

  test.each(someOf(LOSSES))(
    'one that mends what was asked and %s is held to all of them',
    async (_what, loss, path) => {
      project.commit({ 'tests/test_many.py': MANY }, 'many');
      const { code, report } = await project.ask(`${FIX}; ${loss}`, EVERYTHING);
      expect([code, report.status, report.proof, report.fixed]).toEqual([0, 'pass', 'fixed', [TOTAL]]);
      expect(report.deciding?.no_vote.map((file) => file.path)).toEqual([path]);
      expect(report.baseline?.comparison.tests).toMatchObject({ newly_failing: [], no_longer_reported: [] });
      expect(report.baseline?.comparison.tests?.still_passing).toHaveLength(422);
      expect((await project.seatrial(['verify', report.run_id])).code).toBe(0);
    },
  );

  test('one that breaks the product fails, each test by name', async () => {
    project.commit({ 'tests/test_many.py': MANY }, 'many');
    const { code, report } = await project.ask(`${FIX}; ${BREAK}`, EVERYTHING);
    expect([code, report.status, report.failure_reason]).toEqual([1, 'fail', 'tests newly failing: 422']);
    expect((await project.seatrial(['verify', report.run_id])).code).toBe(0);
    expect((await project.apply(report.run_id)).code).toBe(2);
  });

  test('one that breaks the product and removes the tests that show it does not pass', { tags: ['long'] }, async () => {
    const { code, report } = await project.ask(
      `${FIX}; ${BREAK}; sed -i '/def test_biggest/,$d' tests/test_sum.py`,
      EVERYTHING,
    );
    expect([code, report.status, report.failure_reason]).toEqual([
      2,
      'blocked',
      'the patch changes what tests demand: 1',
    ]);
    expect(report.baseline?.comparison.tests).toMatchObject({ newly_failing: [BIGGEST] });
    expect((await project.apply(report.run_id)).code).toBe(2);
  });

  test.each(
    someOf([
      ['conftest.py', 'def pytest_collection_modifyitems(items):\\n    del items[1:]\\n'],
      ['pytest.ini', '[pytest]\\ntestpaths = tests/test_sum.py\\n'],
    ] as const),
  )('one that brings %s is refused', async (path, text) => {
    const { code, report } = await project.ask(`${FIX}; printf '${text}' > ${path}`, EVERYTHING);
    expect([code, report.status, report.failure_reason]).toEqual([1, 'fail', `changes what decides: ${path}`]);
    expect(report.deciding?.refused).toEqual([{ path, why: expect.any(String) }]);
    expect((await project.seatrial(['verify', report.run_id])).code).toBe(0);
    expect((await project.apply(report.run_id)).code).toBe(2);
  });

  test.each(
    someOf([
      [
        'removing it',
        "sed -i '/def test_total/,/== 3/d' tests/test_sum.py",
        `failing tests were removed from tests/test_sum.py, not fixed: ${TOTAL}`,
      ],
      [
        'deleting its file',
        'rm tests/test_sum.py',
        `failing tests were removed from tests/test_sum.py, not fixed: ${TOTAL}`,
      ],
      [
        'skipping it',
        "sed -i 's/^def test_total/import pytest\\n@pytest.mark.skip\\ndef test_total/' tests/test_sum.py",
        `failing tests are skipped in tests/test_sum.py, not fixed: ${TOTAL}`,
      ],
      [
        'expecting it to fail',
        "sed -i 's/^def test_total/import pytest\\n@pytest.mark.xfail\\ndef test_total/' tests/test_sum.py",
        `failing tests are skipped in tests/test_sum.py, not fixed: ${TOTAL}`,
      ],
      [
        'weakening it',
        "sed -i 's/== 3/> 0/' tests/test_sum.py",
        `failing tests pass only as changed in tests/test_sum.py: ${TOTAL}`,
      ],
      [
        'ending the run early',
        "sed -i '1i import os; os._exit(0)' tests/test_sum.py",
        `the changed tests do not run to their end: tests/test_sum.py (${TOTAL})`,
      ],
    ] as const),
  )('getting rid of the failing test by %s fixes nothing, and is named', async (_what, change, also) => {
    const { code, report } = await project.ask(change, EVERYTHING);
    expect([code, report.blocker_codes]).toEqual([1, decidedBy('nothing_fixed')]);
    expect(report.blockers).toEqual(['no failing test was fixed', also]);
    const shown = await project.seatrial(['runs', 'show', report.run_id]);
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain(`also: ${also}`);
    for (const page of ['report.md', 'report.html'])
      expect(readFileSync(join(report.run_dir, page), 'utf8')).toContain(also.split(':')[0]);
    expect(report.baseline?.comparison.tests).toMatchObject({
      fixed: [],
      no_longer_reported: [],
      still_failing: [TOTAL],
    });
    expect((await project.apply(report.run_id)).code).toBe(2);
  });

  test('one that only removes a test keeps what passed and proves nothing', { tags: ['long'] }, async () => {
    const green = readFileSync(join(project.repo, 'sum.py'), 'utf8').replace('[1:]', '');
    project.commit({ 'sum.py': green }, 'green');
    const { report } = await project.ask("sed -i '/def test_biggest/,$d' tests/test_sum.py", EVERYTHING);
    expect(report).toMatchObject({
      status: 'pass',
      proof: 'kept',
      fixed: [],
      deciding: { no_vote: [{ path: 'tests/test_sum.py', why: expect.any(String) }] },
      baseline: { comparison: { tests: { still_passing: [TOTAL, BIGGEST] } } },
    });
    const shown = await project.seatrial(['runs', 'show', report.run_id]);
    expect(shown.stdout).toContain('only tests changed; nothing proven');
    for (const file of ['report.md', 'report.html'])
      expect(readFileSync(join(report.run_dir, file), 'utf8')).toContain('only tests changed; nothing proven');
  });
});

test('the tests are named on the terminal, in the report and in its page', async () => {
  const args = ['run', '--repo', project.repo, '--ask', 'x', '--test', TEST, '--engine', 'command', ...EVERYTHING];
  const ended = await project.seatrial([...args, '--command', `${FIX}; sed -i 's/max/min/' sum.py`]);
  expect(ended.code).toBe(1);
  expect(ended.stdout).toMatch(/^FAIL {2}adder by command in .*\n {6}tests newly failing: 1$/m);
  expect(ended.stdout).toContain(`      newly failing  ${BIGGEST}\n`);
  expect(ended.stdout).toContain('last lines that the tests printed:\n');
  const [run = ''] = project.runDirs();
  for (const file of ['report.md', 'report.html']) {
    const text = readFileSync(join(project.runs, run, file), 'utf8');
    expect(text.indexOf(BIGGEST)).toBeGreaterThan(text.indexOf('tests newly failing: 1'));
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

test.each([
  ['a script that only the change brings', 'sh run-tests.sh', 'missing test command'],
  ['a suite that leaves early', TEST, 'tests do not run on the base'],
  ['a suite without tests', `${TEST} -k nothing_is_called_so`, 'no tests on the base'],
])('%s blocks before any engine starts', async (_what, command, reason) => {
  if (reason === 'tests do not run on the base')
    project.commit({ 'tests/test_early.py': 'import os\n\nos._exit(0)\n' }, 'early');
  const { code, report } = await project.ask("echo 'exit 0' > run-tests.sh", ['--test', command, ...EVERYTHING]);
  expect([code, report.status, report.failure_reason]).toEqual([2, 'blocked', reason]);
  expect(report.backend_process_started).toBe(false);
});

test.each([
  ['a pass', FIX, [], 'passed, 2 tests, as reported'],
  ['a fail', `${FIX}; sed -i 's/max/min/' sum.py`, ['tests newly failing: 1'], 'did not pass (tests newly failing: 1)'],
])('judging %s again comes to the same, from the inputs of the bundle alone', async (_what, change, blockers, said) => {
  project.commit({ 'package.json': '{}' }, 'a package');
  const lost = "sed -i '/def test_biggest/,$d' tests/test_sum.py; echo 'def test_x(): assert False' > test_x.py";
  const { report } = await project.ask(`${change}; ${lost}`, EVERYTHING);
  expect(report.blockers).toEqual(blockers);
  const again = await project.seatrial(['verify', report.run_id, '--rerun']);
  expect(again.code, again.stdout).toBe(0);
  expect(again.stdout).toContain(said);
});

describe('a commit is judged against its base', () => {
  const judge = (...args: string[]): ReturnType<Project['seatrial']> =>
    project.seatrial(['judge', '--repo', project.repo, '--test', TEST, ...args]);

  test('whose tests count, whatever became of them', { tags: ['long'] }, async () => {
    project.commit(
      { 'tests/test_sum.py': 'from sum import total\n\n\ndef test_small():\n    assert total([0]) == 0\n' },
      'fewer',
    );
    const alone = await judge();
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('without --base')]);
    const ended = await judge('--base', 'HEAD~1');
    expect(ended.stdout).toContain('1 still passing, 1 still failing');
    expect(ended.stdout).toContain('had no vote: tests/test_sum.py\n');
    // The test that failed is gone, and nothing was fixed: looking green is not a proof.
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining('no failing test was fixed')]);
  });

  test('and fails for tests that it broke, each by name', { tags: ['long'] }, async () => {
    const source = readFileSync(join(project.repo, 'sum.py'), 'utf8');
    project.commit({ 'sum.py': source.replace('max', 'min') }, 'broken');
    const ended = await judge('--base', 'HEAD~1');
    expect([ended.code, ended.stdout]).toEqual([1, expect.stringContaining(': tests newly failing: 1\n')]);
    expect(ended.stdout).toContain(`newly failing: ${BIGGEST}\n`);
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

  test('and what npm test means comes from there', { tags: ['long'] }, async () => {
    const check = 'if node -e "process.exit(require(\'./index.js\') - 1)"; then ok one; else not_ok one; fi\n';
    const manifest = (script: string): string => JSON.stringify({ main: 'index.js', scripts: { test: script } });
    project.commit(
      { 'package.json': manifest('sh check.sh'), 'check.sh': check, 'index.js': 'module.exports = 1;\n' },
      'npm',
    );
    project.commit(
      { 'package.json': manifest('true'), 'check.sh': 'ok one\n', 'index.js': 'module.exports = 2;\n' },
      'cheat',
    );
    const ended = await project.seatrial(['judge', '--repo', project.repo, '--test', 'npm test', '--base', 'HEAD~1']);
    expect([ended.code, ended.stdout]).toEqual([2, expect.stringContaining('the patch changes what tests demand: 1')]);
    expect(ended.stdout).toContain('newly failing: one\n');
  });
});
