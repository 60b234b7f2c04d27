import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FIX, Project, TEST } from '../support/project.ts';
import { writeBelow } from '../support/seatrial.ts';
import { decidedBy } from '../support/decided-by.ts';

let project: Project;
let sealed: string;

const ACCEPTS = `from sum import total


def test_empty():
    assert total([]) == 0


def test_three():
    assert total([4, 5, 6]) == 15
`;

beforeEach(() => {
  project = new Project();
  sealed = join(project.root, 'accept');
  writeBelow(sealed, { 'tests/test_accept.py': ACCEPTS });
});

afterEach(() => project.remove());

const run = (command: string, ...args: string[]): ReturnType<Project['ask']> =>
  project.ask(command, ['--sealed', sealed, ...args]);

test('a change is proven by sealed tests, which are kept in the bundle and judge it again', async () => {
  const { report } = await run(`${FIX}; printf 'def test_own():\\n    pass\\n' > tests/test_own.py`);
  expect([report.status, report.proof, report.blockers]).toEqual(['pass', 'fixed', []]);
  expect(report.fixed).toContain('tests/test_accept.py::test_three');
  expect(existsSync(join(report.run_dir, 'inputs/tests.tar'))).toBe(true);
  const again = await project.seatrial(['verify', report.run_id, '--rerun']);
  expect([again.code, again.stdout]).toEqual([0, expect.stringContaining('as reported')]);
});

test('an engine that satisfies only the tests it can see fails', async () => {
  const fitted = "sed -i 's/return sum.*/return 3/' sum.py";
  expect((await project.ask(fitted)).report.failure_reason).not.toBe('no failing test was fixed');
  const { report } = await run(fitted);
  expect(report.status).toBe('fail');
  expect(report.blockers).toContain('no failing test was fixed');
});

test('the engine finds no trace of them, and a file of its own in their place does not count', async () => {
  const look = `grep -rl test_three / --include=*.py --include=*.toml --include=*.json 2>/dev/null | grep -v ^/proc > seen.txt; ls tests > seen-tests.txt`;
  const plant = "printf 'def test_empty(): pass\\ndef test_three(): pass\\n' > tests/test_accept.py";
  const { report } = await run(`${look}; ${plant}`);
  expect(report.blockers).toEqual(['no failing test was fixed']);
  const patch = readFileSync(join(report.run_dir, 'patch.diff'), 'utf8');
  expect(patch).toContain('+++ b/seen-tests.txt');
  expect(patch).not.toContain('+tests/test_accept.py');
  expect(patch).not.toContain('+/');
});

test('they serve a repository without tests of its own', async () => {
  project.git('rm', '-rq', 'tests');
  project.git('commit', '-qm', 'no tests');
  const { report } = await run(FIX);
  expect(report).toMatchObject({ status: 'pass', proof: 'fixed', fixed: ['tests/test_accept.py::test_three'] });
});

test('sealed tests that pass already, or that the command does not reach, block before the engine starts', async () => {
  writeBelow(sealed, { 'tests/test_accept.py': ACCEPTS.replace('== 15', '== 11') });
  const green = await run(FIX);
  expect(green.report).toMatchObject({
    status: 'blocked',
    blocker_codes: decidedBy('no_sealed_test_fails'),
    backend_process_started: false,
  });
  const { report } = await run(FIX, '--test', `${TEST} tests/test_sum.py`);
  expect(report).toMatchObject({
    status: 'blocked',
    failure_reason: 'sealed tests not reported on the base: tests/test_accept.py',
    backend_process_started: false,
  });
});

test('judge takes them too, with a base and without', async () => {
  const source = readFileSync(join(project.repo, 'sum.py'), 'utf8');
  project.commit({ 'sum.py': source.replace('return sum(numbers[1:])', 'return 3') }, 'fitted');
  const judge = (...args: string[]): ReturnType<Project['seatrial']> =>
    project.seatrial(['judge', '--repo', project.repo, '--test', TEST, '--sealed', sealed, ...args]);
  expect((await judge('--base', 'HEAD~1')).stdout).toContain('no failing test was fixed');
  const alone = await judge();
  expect([alone.code, alone.stdout]).toEqual([1, expect.stringContaining('failed   tests/test_accept.py::test_three')]);
  project.commit({ 'sum.py': source.replace('[1:]', '') }, 'mended');
  expect(await judge('--base', 'HEAD~2')).toMatchObject({ code: 0 });
});

test.each([
  ['nowhere', () => join(project.root, 'nowhere'), 'is not a directory'],
  ['part of the repository', () => join(project.repo, 'tests'), 'is part of the repository'],
])('a directory that is %s is refused in one sentence', async (_what, dir, sentence) => {
  const asked = ['--ask', 'x', '--test', TEST, '--engine', 'command', '--command', 'true', '--sealed', dir()];
  const ended = await project.seatrial(['run', '--repo', project.repo, ...asked]);
  expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining(sentence)]);
});
