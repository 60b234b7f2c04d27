import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FeesProject, LANDER, raise } from '../support/fees.ts';

interface StatedCommit {
  readonly subject: readonly { readonly digest: object }[];
}

function statementIn(file: string): StatedCommit {
  const { payload } = JSON.parse(readFileSync(file, 'utf8')) as { payload: string };
  return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as StatedCommit;
}

let project: FeesProject;
beforeEach(() => {
  project = new FeesProject();
});
afterEach(() => project.remove());

test('two changes that pass alone and break together: the second is held with the failing test named', async () => {
  const first = await project.proven(raise('a'));
  const second = await project.proven(raise('b'));
  const before = project.git('rev-parse', 'main');
  const { code, runs } = await project.landing([first.run_id, second.run_id, '--onto', 'main']);
  expect(code).toBe(1);
  const [landed, held] = runs;
  expect(landed).toMatchObject({ outcome: 'landed', run_id: first.run_id, tip: before });
  expect(held).toMatchObject({ outcome: 'held', run_id: second.run_id, broken: ['tests/test_fees.py::test_limit'] });
  expect(held?.reasons?.[0]?.text).toBe(
    'merged with main, it does not pass: tests newly failing: 1 (tests/test_fees.py::test_limit)',
  );
  expect(project.git('rev-parse', 'main')).toBe(landed?.commit);
  expect(project.git('rev-parse', 'main^{tree}')).toBe(landed?.tree);
  // The work tree has main checked out and was clean, so it follows.
  expect(project.git('status', '--porcelain')).toBe('');
  expect(project.git('show', 'main:fee_a.py')).toContain('return 6');
  expect(landed?.statement).toBe(join(project.runs, 'landings', `${landed?.commit}.intoto.jsonl`));
  expect(statementIn(landed?.statement ?? '').subject[0]?.digest).toEqual({
    gitCommit: landed?.commit,
    gitTree: landed?.tree,
  });
  const judged = await project.seatrial(['verify', landed?.judged_in ?? '']);
  expect(judged.code, judged.stdout).toBe(0);
  const again = await project.landing([first.run_id, '--onto', 'main']);
  expect(again.runs).toEqual([{ outcome: 'already landed', run_id: first.run_id, commit: landed?.commit }]);
});

test('a test that a change breaks only among the others is not flaky: there is nothing to land', async () => {
  const moody =
    'import fee_a\n\nSEEN = []\n\n\ndef test_first():\n    SEEN.append(fee_a.fee())\n\n\ndef test_second():\n    assert not SEEN or SEEN[0] == 3\n';
  project.commit({ 'tests/test_moody.py': moody }, 'moody');
  const { report } = await project.ask(raise('a', 4));
  expect([report.status, report.failure_reason]).toEqual(['fail', 'tests newly failing: 1']);
  const before = project.git('rev-parse', 'main');
  const refused = await project.seatrial(['land', report.run_id, '--onto', 'main']);
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('did not pass')]);
  expect(project.git('rev-parse', 'main')).toBe(before);
});

test('--queue lands every proven run that waits, and --prove lands on the branch that is checked out', async () => {
  await project.proven(raise('a', 4));
  await project.proven(raise('b', 5));
  const clash = await project.proven(raise('b', 4));
  const queue = ['--queue', '--repo', project.repo, '--onto', 'main', '--approvals', project.allowing('land main')];
  const { code, runs } = await project.landing(queue);
  expect(runs.map(({ outcome }) => outcome)).toEqual(['landed', 'landed', 'held']);
  expect([code, runs[2]?.reasons?.[0]?.text]).toEqual([2, 'conflicts with main in fee_b.py']);
  expect(project.git('rev-list', '--count', 'main')).toBe('4');
  const proved = await project.apply(clash.run_id, ['--prove']);
  expect([proved.code, proved.stdout]).toEqual([2, expect.stringContaining('conflicts with main in fee_b.py')]);
  const again = await project.landing(queue);
  expect(again.runs.map(({ outcome }) => outcome)).toEqual(['held']);
});

test('a judged commit lands with its own message and author', async () => {
  project.git('checkout', '--quiet', '-b', 'work');
  project.commit({ 'fee_b.py': 'def fee():\n    return 4\n' }, 'Raise the second fee');
  const args = ['--repo', project.repo, '--base', 'main', '--commit', 'work', '--test', 'python3 -m pytest -q'];
  const judged = await project.seatrial(['judge', ...args, '--bundle', '--json']);
  expect(judged.code, judged.stderr).toBe(0);
  const { run_id: run } = JSON.parse(judged.stdout) as { run_id: string };
  const { code, runs } = await project.landing([run, '--onto', 'main']);
  expect([code, runs[0]?.outcome]).toEqual([0, 'landed']);
  expect(project.git('log', '-1', '--format=%s|%an', 'main')).toBe('Raise the second fee|Ada');
});

test('--retry starts the engine again from the tip, told which tests broke, and lands what passes', async () => {
  const first = await project.proven(raise('a'));
  const second = await project.proven(raise('b'));
  // Reads the instruction and what broke on standard input.
  const told = "grep -q '^- newly failing: tests/test_fees.py::test_limit'";
  const retry = ['--retry', '1', '--command', `${told} && ${raise('b', 4)}`];
  const refused = await project.seatrial(['land', second.run_id, '--onto', 'main', '--retry', '1']);
  expect([refused.code, refused.stderr]).toEqual([64, expect.stringContaining('give its --command')]);
  const { code, runs, stderr } = await project.landing([first.run_id, second.run_id, '--onto', 'main', ...retry]);
  expect([code, runs.map(({ outcome }) => outcome)], stderr).toEqual([0, ['landed', 'landed']]);
  expect(runs[1]?.retried_in).toEqual([runs[1]?.run_id]);
  expect(project.git('show', 'main:fee_b.py')).toContain('return 4');
  // A conflict is told too, with the files; the engine starts from the tip without its earlier change.
  const third = await project.proven(raise('b', 2));
  project.commit({ 'fee_b.py': 'def fee():\n    return 1\n' }, 'somebody else');
  const again = `grep -q '^- conflicts with main in fee_b.py' && grep -q 'return 1' fee_b.py && ${raise('b', 2)}`;
  const ended = await project.landing([third.run_id, '--onto', 'main', '--retry', '1', '--command', again]);
  expect(ended.runs[0]?.outcome, JSON.stringify(ended.runs)).toBe('landed');
  const bad = await project.landing([second.run_id, '--onto', 'main', '--retry', '2', '--command', 'true']);
  expect([bad.code, bad.runs[0]?.reasons?.map(({ code: one }) => one)]).toEqual([
    1,
    ['landing_conflict', 'landing_retry_failed'],
  ]);
});

test('a queue that no person starts needs a policy line, or a yes', async () => {
  const { run_id: run } = await project.proven(raise('a', 4));
  const before = project.git('rev-parse', 'main');
  // In a session of its own there is no terminal, as for a service.
  const through = ['setsid', '--wait'];
  const queue = ['land', '--queue', '--repo', project.repo, '--onto', 'main'];
  const held = await project.seatrial(queue, { through, env: LANDER });
  expect([held.code, held.stdout]).toEqual([2, expect.stringContaining('landing on main was not approved')]);
  expect([project.git('rev-parse', 'main'), project.runDirs().length]).toEqual([before, 1]);
  const asking = [...queue, '--approvals', project.policy('[[rules]]\nask = "land *"\n')];
  const running = project.start(asking, { through, env: LANDER });
  await running.shows('seatrial deny');
  const [question] = JSON.parse((await project.seatrial(['approvals', '--json'])).stdout);
  expect(question).toMatchObject({ kind: 'landing', action: 'land main', id: 'approval-1', for: expect.any(String) });
  expect((await project.seatrial(['approve', question.run_id, 'approval-1'])).code).toBe(0);
  const ended = await running.ended;
  expect([ended.code, ended.stdout]).toEqual([0, expect.stringContaining(`landed  ${run} as `)]);
  expect(project.git('rev-parse', 'main~')).toBe(before);
});

test('a branch that moves while the merged tree is judged is merged and judged again', async () => {
  const { run_id: run } = await project.proven(raise('a', 4));
  project.git('checkout', '--quiet', '--detach');
  const running = project.start(['land', run, '--repo', project.repo, '--onto', 'main', '--json'], { env: LANDER });
  await expect.poll(() => project.runDirs().length, { timeout: 60_000 }).toBe(2);
  const other = project.pushOther('main', 'note.txt', 'other\n');
  const { code, stdout, stderr } = await running.ended;
  expect([code, stderr], stdout).toEqual([0, expect.stringContaining('main has moved; judging again')]);
  expect(project.git('rev-parse', 'main~')).toBe(other);
  expect(project.git('show', 'main:fee_a.py')).toContain('return 4');
});
