import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FIX, Project } from '../support/project.ts';

let project: Project;
beforeEach(() => {
  project = new Project();
});
afterEach(() => project.remove());

test('a proven patch comes home as a commit that names its run', async () => {
  const { report } = await project.ask(FIX);
  const ended = await project.apply(report.run_id, ['--branch', 'fix/total']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  expect(project.git('rev-parse', '--abbrev-ref', 'HEAD')).toBe('fix/total');
  expect(project.git('log', '-1', '--format=%s')).toBe('Make total right.');
  expect(project.git('log', '-1', '--format=%(trailers:key=Seatrial-Run,valueonly)')).toBe(report.run_id);
  expect(project.git('log', '-1', '--format=%(trailers:key=Seatrial-Attestation,valueonly)')).toMatch(
    /^sha256:[0-9a-f]{64}$/,
  );
  expect(project.git('diff', '--name-only', 'main', 'fix/total')).toBe('sum.py');
  expect(project.git('status', '--porcelain')).toBe('');
  expect((await project.apply(report.run_id, ['--branch', 'fix/total'])).stdout).toContain('is already applied as');
});

test('a repository that has moved on gets the change merged in, or is left alone where it no longer fits', async () => {
  const { report } = await project.ask(FIX);
  const moved = project.commit({ 'other.txt': 'other\n' }, 'elsewhere');
  expect((await project.apply(report.run_id)).stdout).toContain('merged as');
  expect(project.git('log', '--format=%P', '-1')).toBe(moved);
  expect(project.git('show', 'HEAD:other.txt')).toBe('other');
  project.git('reset', '--quiet', '--hard', moved);
  const clash = project.commit({ 'sum.py': 'def total(numbers):\n    return 0\n' }, 'clash');
  const refused = await project.apply(report.run_id, ['--branch', 'late']);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('conflicts with HEAD in sum.py; nothing was changed');
  expect(project.git('rev-parse', 'HEAD')).toBe(clash);
  expect(project.git('branch', '--list', 'late')).toBe('');
  expect(project.git('status', '--porcelain')).toBe('');
});

test('another clone that holds the base serves as well', async () => {
  const { report } = await project.ask(FIX);
  const clone = join(project.root, 'clone');
  project.git('clone', '--quiet', project.repo, clone);
  const ended = await project.apply(report.run_id, ['--repo', clone, '--branch', 'fix']);
  expect(ended.code).toBe(0);
  expect(existsSync(join(clone, 'sum.py'))).toBe(true);
  expect(project.git('branch', '--list', 'fix')).toBe('');
});

test('what did not pass stays out unless it is asked for, and then says so', async () => {
  const { report } = await project.ask('echo "# touched" >> sum.py');
  expect(report.status).toBe('fail');
  const refused = await project.apply(report.run_id);
  expect(refused).toMatchObject({ code: 2 });
  expect(refused.stderr).toContain('did not pass (no failing test was fixed)');
  expect((await project.apply(report.run_id, ['--unproven'])).code).toBe(0);
  expect(project.git('log', '-1', '--format=%(trailers:key=Seatrial-Status,valueonly)')).toContain('unproven');
});

test('a changed bundle, a dirty tree and a run of a task are refused', async () => {
  const { report } = await project.ask(FIX);
  writeFileSync(join(project.repo, 'sum.py'), 'mine\n');
  expect((await project.apply(report.run_id)).stderr).toContain('uncommitted changes');
  project.git('checkout', '--quiet', '.');
  writeFileSync(join(report.run_dir, 'patch.diff'), '');
  const changed = await project.apply(report.run_id);
  expect(changed).toMatchObject({ code: 2 });
  expect(changed.stderr).toContain('patch.diff');
  const task = await project.run(project.task('answer'));
  expect((await project.apply(task.report.run_id)).stderr).toContain('worked on a task directory, not on a repository');
});
