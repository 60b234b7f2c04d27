import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import { FeesProject, LANDER, raise } from '../support/fees.ts';
import { writeBelow } from '../support/seatrial.ts';

let project: FeesProject;
let change: Report;
let untested: Report;
beforeAll(async () => {
  project = new FeesProject();
  change = await project.proven(raise('a', 5));
  const added = "printf 'def test_new():\\n    assert False\\n' > tests/test_new.py";
  untested = await project.proven(`${raise('b', 4)} && ${added}`);
}, 240_000);
afterAll(() => project.remove());

const git = (dir: string, ...args: string[]): string => project.gitIn(dir, ...args);
const land = (dir: string, ...args: string[]) =>
  project.landing([change.run_id, '--repo', dir, '--onto', 'main', ...args]);
const reasonsOf = ({ runs }: Awaited<ReturnType<typeof land>>): string[] =>
  runs.flatMap(({ reasons = [] }) => reasons.map(({ text }) => text));

describe('a branch that nothing has checked out', () => {
  test('moves with HEAD detached, and the work tree stays as it is', async () => {
    const dir = project.copy('detached');
    git(dir, 'checkout', '--quiet', '--detach');
    writeFileSync(join(dir, 'fee_a.py'), 'mine\n');
    const before = git(dir, 'rev-parse', 'HEAD');
    const ended = await land(dir);
    expect([ended.code, ended.runs[0]?.outcome], ended.stderr).toEqual([0, 'landed']);
    expect(git(dir, 'rev-parse', 'main~')).toBe(before);
    expect(git(dir, 'rev-parse', 'HEAD')).toBe(before);
    expect(readFileSync(join(dir, 'fee_a.py'), 'utf8')).toBe('mine\n');
    const verified = await project.seatrial(['verify', '--commit', 'main', '--repo', dir]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.stringContaining('verified: commit')]);
    const other = await project.seatrial(['verify', '--commit', 'main~', '--repo', dir]);
    expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('it has no landing record')]);
  });

  test('moves in a bare repository', { tags: ['long'] }, async () => {
    const dir = join(project.root, 'bare.git');
    project.git('clone', '--quiet', '--bare', project.repo, dir);
    const ended = await land(dir);
    expect([ended.code, ended.runs[0]?.outcome], ended.stderr).toEqual([0, 'landed']);
    expect(git(dir, 'show', 'main:fee_a.py')).toContain('return 5');
  });

  test('is judged, and nothing is moved or stored, with --dry-run', async () => {
    const dir = project.copy('dry');
    git(dir, 'checkout', '--quiet', '--detach');
    const objects = (): string => execFileSync('find', [join(dir, '.git')], { encoding: 'utf8' });
    const before = objects();
    const ended = await land(dir, '--dry-run');
    expect([ended.code, ended.runs[0]?.outcome]).toEqual([0, 'dry run']);
    expect(objects()).toBe(before);
    const words = await project.seatrial(['land', change.run_id, '--repo', dir, '--onto', 'main', '--dry-run'], {
      env: LANDER,
    });
    expect(words.stdout).toContain(`would land  ${change.run_id} as `);
  });

  test('must exist', async () => {
    const ended = await project.seatrial(['land', change.run_id, '--onto', 'mian']);
    expect([ended.code, ended.stderr]).toEqual([64, expect.stringContaining('there is no branch mian in')]);
  });
});

describe('a branch that is checked out', () => {
  test('does not move while its work tree has uncommitted changes', async () => {
    const dir = project.copy('dirty');
    writeFileSync(join(dir, 'fee_b.py'), 'mine\n');
    const before = git(dir, 'rev-parse', 'main');
    const ended = await land(dir);
    expect(ended.code).toBe(2);
    expect(reasonsOf(ended)).toEqual([
      expect.stringContaining('has main checked out with uncommitted changes (fee_b.py)'),
    ]);
    expect([git(dir, 'rev-parse', 'main'), git(dir, 'status', '--porcelain')]).toEqual([before, 'M fee_b.py']);
  });

  test('takes the files of a linked work tree along', { tags: ['long'] }, async () => {
    const dir = project.copy('linked');
    git(dir, 'checkout', '--quiet', '--detach');
    const linked = join(project.root, 'linked-tree');
    git(dir, 'worktree', 'add', '--quiet', linked, 'main');
    const ended = await land(dir);
    expect([ended.code, ended.runs[0]?.outcome], ended.stderr).toEqual([0, 'landed']);
    expect(readFileSync(join(linked, 'fee_a.py'), 'utf8')).toContain('return 5');
    expect(git(linked, 'status', '--porcelain')).toBe('');
  });

  test('gets its files from the next landing, if one was killed before they followed', async () => {
    const dir = project.copy('killed');
    const from = git(dir, 'rev-parse', 'main');
    writeBelow(dir, { 'note.txt': 'landed\n' });
    git(dir, 'add', '--all');
    git(dir, 'commit', '--quiet', '-m', 'landed');
    const to = git(dir, 'rev-parse', 'main');
    git(dir, 'reset', '--quiet', '--hard', from);
    git(dir, 'update-ref', 'refs/heads/main', to);
    const note = join(dir, '.git/seatrial-landing.json');
    writeFileSync(note, JSON.stringify({ ref: 'refs/heads/main', from, to }));
    const ended = await land(dir);
    expect(ended.runs[0]?.outcome, JSON.stringify(ended.runs)).toBe('landed');
    expect([git(dir, 'status', '--porcelain'), readFileSync(join(dir, 'note.txt'), 'utf8')]).toEqual(['', 'landed\n']);
    expect(existsSync(note)).toBe(false);
  });

  test('does not move under a merge, nor where its files are elsewhere', async () => {
    const dir = project.copy('merging');
    writeFileSync(join(dir, '.git/MERGE_HEAD'), `${git(dir, 'rev-parse', 'main')}\n`);
    expect(reasonsOf(await land(dir))).toEqual([expect.stringContaining('a merge is in progress')]);
    const elsewhere = project.copy('elsewhere');
    git(elsewhere, 'config', 'core.worktree', project.repo);
    expect(reasonsOf(await land(elsewhere))).toEqual([expect.stringContaining('is outside of it (core.worktree)')]);
  });

  test('does not move under a rebase', { tags: ['long'] }, async () => {
    const dir = project.copy('operation');
    mkdirSync(join(dir, '.git/rebase-merge'));
    writeFileSync(join(dir, '.git/rebase-merge/head-name'), 'refs/heads/main\n');
    git(dir, 'checkout', '--quiet', '--detach');
    expect(reasonsOf(await land(dir))).toEqual([expect.stringContaining('a rebase is in progress')]);
  });
});

describe('what does not fit the branch is held', () => {
  test('a conflict, with its files', async () => {
    const dir = project.copy('conflict');
    writeBelow(dir, { 'fee_a.py': 'def fee():\n    return 4\n' });
    git(dir, 'commit', '--quiet', '-am', 'other');
    const before = git(dir, 'rev-parse', 'main');
    const ended = await land(dir);
    expect([ended.code, reasonsOf(ended)]).toEqual([2, ['conflicts with main in fee_a.py']]);
    expect(git(dir, 'rev-parse', 'main')).toBe(before);
  });

  test('a file that a git filter converts', { tags: ['long'] }, async () => {
    const dir = project.copy('filtered');
    writeBelow(dir, { '.gitattributes': 'fee_a.py filter=lfs diff=lfs\n' });
    git(dir, 'add', '--all');
    git(dir, 'commit', '--quiet', '-m', 'lfs');
    expect(reasonsOf(await land(dir))).toEqual([
      'fee_a.py: converted by the git filter lfs, which a landing does not run',
    ]);
  });

  test('tests that cannot run on the tip', async () => {
    const dir = project.copy('broken');
    writeBelow(dir, { 'conftest.py': 'raise SystemError("no")\n' });
    git(dir, 'add', '--all');
    git(dir, 'commit', '--quiet', '-m', 'broken');
    const ended = await land(dir);
    expect([ended.code, reasonsOf(ended)]).toEqual([2, [expect.stringContaining('could not be judged: ')]]);
  });

  test('a test that comes out either way on the tip, which judging it again shows', { tags: ['long'] }, async () => {
    const dir = project.copy('flaky');
    // Fails after the other one, and passes alone.
    const moody = 'SEEN = []\n\n\ndef test_first():\n    SEEN.append(1)\n\n\ndef test_second():\n    assert not SEEN\n';
    writeBelow(dir, { 'tests/test_moody.py': moody });
    git(dir, 'add', '--all');
    git(dir, 'commit', '--quiet', '-m', 'moody');
    const before = git(dir, 'rev-parse', 'main');
    const ended = await land(dir);
    expect([ended.code, reasonsOf(ended)]).toEqual([2, ['flaky tests: tests/test_moody.py::test_second']]);
    expect(git(dir, 'rev-parse', 'main')).toBe(before);
  });

  test('a new test of the change that fails, although it has no vote', { tags: ['long'] }, async () => {
    const dir = project.copy('red');
    const ended = await project.landing([untested.run_id, '--repo', dir, '--onto', 'main']);
    expect([ended.code, reasonsOf(ended)]).toEqual([
      1,
      ['tests of the change fail on the merged tree: tests/test_new.py::test_new'],
    ]);
  });

  test('a command that exits 0 and reports no tests', async () => {
    const dir = project.copy('silent');
    const ended = await land(dir, '--test', 'true');
    expect([ended.code, reasonsOf(ended)]).toEqual([2, [expect.stringContaining('only an exit code')]]);
  });
});

describe('a repository with parts that git does not store as files', () => {
  const part = (): string => {
    const dir = join(project.root, 'part');
    if (existsSync(dir)) return dir;
    mkdirSync(dir);
    writeBelow(dir, { 'value.txt': '1\n' });
    git(dir, 'init', '--quiet');
    git(dir, 'add', '--all');
    git(dir, 'commit', '--quiet', '-m', 'part');
    return dir;
  };
  const withSubmodule = (name: string): string => {
    const dir = project.copy(name);
    git(dir, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', part(), 'part');
    git(dir, 'commit', '--quiet', '-m', 'a submodule');
    return dir;
  };

  test('lands beside a submodule, whose commit stays', { tags: ['long'] }, async () => {
    const dir = withSubmodule('submodule');
    const ended = await land(dir);
    expect(ended.runs[0]?.outcome, JSON.stringify(ended.runs)).toBe('landed');
    expect(git(dir, 'ls-tree', 'main', 'part')).toBe(git(dir, 'ls-tree', 'main~', 'part'));
    expect(git(dir, 'status', '--porcelain')).toBe('');
  });

  test('is held in a bare repository, which has no copy of the submodule', { tags: ['long'] }, async () => {
    const dir = join(project.root, 'bare-submodule.git');
    project.git('clone', '--quiet', '--bare', withSubmodule('submodule-source'), dir);
    const ended = await land(dir);
    expect([ended.code, reasonsOf(ended)]).toEqual([
      2,
      [expect.stringContaining('is a bare repository and has no copies of its submodules')],
    ]);
  });

  test('lands beside pointers of git-lfs that stay as they are', { tags: ['long'] }, async () => {
    const dir = project.copy('pointers');
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${'0'.repeat(64)}\nsize 9\n`;
    writeBelow(dir, { '.gitattributes': '*.bin filter=lfs diff=lfs -text\n', 'data.bin': pointer });
    git(dir, 'add', '--all');
    git(dir, 'commit', '--quiet', '-m', 'a pointer');
    const ended = await land(dir);
    expect(ended.runs[0]?.outcome, JSON.stringify(ended.runs)).toBe('landed');
    expect(git(dir, 'show', 'main:data.bin')).toBe(pointer.trim());
  });
});

test('hooks are not run, and the result says so', { tags: ['long'] }, async () => {
  const dir = project.copy('hooks');
  for (const name of ['pre-commit', 'post-checkout', 'reference-transaction', 'post-merge']) {
    writeFileSync(join(dir, '.git/hooks', name), `#!/bin/sh\ntouch ${project.root}/hook-ran\n`);
    chmodSync(join(dir, '.git/hooks', name), 0o755);
  }
  const ended = await land(dir);
  expect(ended.runs[0]?.outcome, ended.stderr).toBe('landed');
  expect(ended.runs[0]?.notes).toEqual([
    `hooks of ${dir} were not run: post-checkout, post-merge, pre-commit, reference-transaction`,
  ]);
  expect(existsSync(join(project.root, 'hook-ran'))).toBe(false);
});

describe('--push', () => {
  const withRemote = (name: string): { readonly dir: string; readonly remote: string } => {
    const dir = project.copy(name);
    const remote = join(project.root, `${name}.git`);
    project.git('clone', '--quiet', '--bare', project.repo, remote);
    git(dir, 'remote', 'add', 'origin', remote);
    return { dir, remote };
  };

  test('moves the remote branch and the local one, and brings the record along', async () => {
    const { dir, remote } = withRemote('pushed');
    const ended = await land(dir, '--push');
    expect(ended.runs[0]?.outcome, JSON.stringify(ended.runs)).toBe('landed');
    expect(git(remote, 'rev-parse', 'main')).toBe(git(dir, 'rev-parse', 'main'));
    const clone = join(project.root, 'verified-clone');
    git(project.root, 'clone', '--quiet', remote, clone);
    git(clone, 'fetch', '--quiet', 'origin', 'refs/seatrial/*:refs/seatrial/*');
    const verified = await project.seatrial(['verify', '--commit', 'main', '--repo', clone]);
    expect(verified.code, verified.stdout).toBe(0);
  });

  test('holds when the remote has moved, and moves neither', async () => {
    const { dir, remote } = withRemote('behind');
    const clone = join(project.root, 'other-clone');
    git(project.root, 'clone', '--quiet', remote, clone);
    writeBelow(clone, { 'note.txt': 'other\n' });
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '-m', 'other');
    git(clone, 'push', '--quiet', 'origin', 'main');
    const [there, here] = [git(remote, 'rev-parse', 'main'), git(dir, 'rev-parse', 'main')];
    const ended = await land(dir, '--push', 'origin');
    expect([ended.code, reasonsOf(ended)]).toEqual([
      2,
      [`main is at ${there.slice(0, 12)} on origin and at ${here.slice(0, 12)} here`],
    ]);
    expect([git(remote, 'rev-parse', 'main'), git(dir, 'rev-parse', 'main')]).toEqual([there, here]);
  });
});

test('a changed record proves nothing', async () => {
  const dir = project.copy('forged');
  git(dir, 'checkout', '--quiet', '--detach');
  const [landed] = (await land(dir)).runs;
  const commit = landed?.commit ?? '';
  const forged = git(dir, 'commit-tree', `${commit}^{tree}`, '-p', `${commit}~`, '-m', 'forged');
  const record = git(dir, 'rev-parse', `refs/seatrial/landings/${commit}`);
  git(dir, 'update-ref', `refs/seatrial/landings/${forged}`, record);
  const ended = await project.seatrial(['verify', '--commit', forged, '--repo', dir]);
  expect([ended.code, ended.stdout]).toEqual([
    1,
    expect.stringContaining(`its landing record is about commit ${commit}`),
  ]);
  expect(readdirSync(join(project.runs, 'landings'))).toContain(`${commit}.json`);
});
