import { generateKeyPairSync } from 'node:crypto';
import { appendFileSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Report } from '../../src/evidence/schema/report.ts';
import type { Ended } from '../support/seatrial.ts';
import { FIX, Project, TEST } from '../support/project.ts';

let project: Project;
let runId: string;
let base: string;

beforeAll(async () => {
  project = new Project();
  base = project.commit({ 'notes.txt': 'notes\n', '.gitignore': 'build/\n' }, 'notes');
  const { report } = await project.ask(`${FIX}; echo 'print(1)' > new.py`);
  expect(report.status).toBe('pass');
  runId = report.run_id;
});
afterAll(() => project.remove());

let copies = 0;
class Copy {
  readonly dir = project.copy(`copy-${(copies += 1)}`);

  git(...args: string[]): string {
    return project.gitIn(this.dir, ...args);
  }

  apply(...args: string[]): Promise<Ended> {
    return project.apply(runId, ['--repo', this.dir, ...args]);
  }

  read(path: string): string {
    return readFileSync(join(this.dir, path), 'utf8');
  }

  write(path: string, text: string): void {
    writeFileSync(join(this.dir, path), text);
  }

  commit(path: string, text: string): string {
    this.write(path, text);
    this.git('add', path);
    this.git('commit', '--quiet', '-m', `change ${path}`);
    return this.git('rev-parse', 'HEAD');
  }

  /** All that a refused apply must leave as it is. */
  state(): Readonly<Record<'refs' | 'head' | 'status' | 'index' | 'sum', string | null>> {
    return {
      refs: this.git('for-each-ref'),
      head: readFileSync(join(this.git('rev-parse', '--absolute-git-dir'), 'HEAD'), 'utf8'),
      status: this.git('status', '--porcelain', '--ignored'),
      index: this.git('ls-files', '--stage'),
      sum: existsSync(join(this.dir, 'sum.py')) ? this.read('sum.py') : null,
    };
  }

  trailers(name: string, commit = 'HEAD'): string {
    return this.git('log', '-1', `--format=%(trailers:key=${name},valueonly)`, commit);
  }
}

const isFixed = (copy: Copy): boolean => copy.read('sum.py').includes('return sum(numbers)');

/** Refused with a sentence, and with everything as it was. */
async function expectRefused(copy: Copy, args: readonly string[], says: RegExp): Promise<void> {
  const before = copy.state();
  const ended = await copy.apply(...args);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(says);
  expect(ended.stderr.trim().split('\n')).toHaveLength(1);
  expect(copy.state()).toEqual(before);
}

describe('where the commit goes', () => {
  test('the branch that is checked out moves forward, and says so', async () => {
    const copy = new Copy();
    const ended = await copy.apply();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    const head = copy.git('rev-parse', 'HEAD');
    expect(ended.stdout).toBe(`applied as ${head} on main of ${copy.dir} (checked out)\n`);
    expect(copy.git('rev-parse', 'main~1')).toBe(base);
    expect(copy.git('status', '--porcelain')).toBe('');
    expect(isFixed(copy)).toBe(true);
    expect(copy.git('reflog', '-1', '--format=%gs')).toBe(`seatrial apply ${runId}`);
  });

  test('--branch checks the new branch out; `git switch -` leads back', async () => {
    const copy = new Copy();
    const ended = await copy.apply('--branch', 'fix/total');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).toMatch(/ on fix\/total of .* \(checked out\)\n$/);
    expect(copy.git('symbolic-ref', 'HEAD')).toBe('refs/heads/fix/total');
    expect(isFixed(copy)).toBe(true);
    copy.git('switch', '--quiet', '-');
    expect(copy.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main');
    expect(copy.git('rev-parse', 'main')).toBe(base);
    expect(isFixed(copy)).toBe(false);
  });

  test('--no-checkout makes the branch and leaves HEAD, index and files alone', async () => {
    const copy = new Copy();
    const before = copy.state();
    const ended = await copy.apply('--branch', 'fix', '--no-checkout', '--json');
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(ended.stdout)).toEqual({
      run_id: runId,
      repo: copy.dir,
      outcome: 'applied',
      commit: copy.git('rev-parse', 'fix'),
      branch: 'fix',
      checked_out: false,
      merged: false,
      left_out: [],
      proven: true,
      notes: [],
    });
    expect(copy.git('rev-parse', 'fix~1')).toBe(base);
    copy.git('branch', '--quiet', '-D', 'fix');
    expect(copy.state()).toEqual(before);
    expect(await copy.apply('--no-checkout')).toMatchObject({ code: 64 });
  });

  test('a branch of that name, or one that is no name, is a fault of the caller', async () => {
    const copy = new Copy();
    copy.git('branch', 'taken');
    const taken = await copy.apply('--branch', 'taken');
    expect(taken).toMatchObject({ code: 64 });
    expect(taken.stderr).toContain('branch taken already exists');
    for (const name of ['a..b', '-x', 'x y', ''])
      expect(await copy.apply(`--branch=${name}`)).toMatchObject({ code: 64 });
    await expectRefused(copy, ['--branch', 'taken/too'], /no branch was moved/);
  });

  test('a linked work tree gets it on its own branch', async () => {
    const copy = new Copy();
    const linked = join(project.root, 'linked');
    copy.git('worktree', 'add', '--quiet', '-b', 'side', linked);
    const ended = await project.apply(runId, ['--repo', linked]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toContain(' on side of ');
    expect(readFileSync(join(linked, 'sum.py'), 'utf8')).toContain('return sum(numbers)');
    expect(project.gitIn(linked, 'status', '--porcelain')).toBe('');
    expect(copy.git('rev-parse', 'main')).toBe(base);
    expect(copy.git('status', '--porcelain')).toBe('');
  });
});

describe('applying twice', () => {
  test('is recognised and does nothing', async () => {
    const copy = new Copy();
    await copy.apply();
    const commit = copy.git('rev-parse', 'HEAD');
    const before = copy.state();
    for (const args of [[], ['--branch', 'again'], ['--branch', 'again', '--no-checkout']]) {
      const ended = await copy.apply(...args);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      expect(ended.stdout).toBe(`${runId} is already applied as ${commit} on main of ${copy.dir}: nothing to do\n`);
      expect(copy.state()).toEqual(before);
    }
    const json = JSON.parse((await copy.apply('--json')).stdout) as object;
    expect(json).toMatchObject({
      outcome: 'already applied',
      commit,
      branch: 'main',
      checked_out: false,
      proven: null,
    });
  });

  test('is recognised after later work, on a branch of its own, and where only the change is there', async () => {
    const later = new Copy();
    await later.apply();
    later.commit('sum.py', later.read('sum.py').replace('sum(numbers)', 'sum(list(numbers))'));
    writeFileSync(join(later.dir, 'sum.py'), 'dirty\n');
    expect((await later.apply()).stdout).toContain('already applied');

    const aside = new Copy();
    await aside.apply('--branch', 'fix', '--no-checkout');
    const again = await aside.apply('--branch', 'fix');
    expect(again).toMatchObject({ code: 0 });
    expect(again.stdout).toContain(`already applied as ${aside.git('rev-parse', 'fix')} on fix`);

    const byHand = new Copy();
    byHand.commit('new.py', 'print(1)\n');
    byHand.commit('sum.py', byHand.read('sum.py').replace('numbers[1:]', 'numbers'));
    const before = byHand.state();
    const same = await byHand.apply();
    expect(same).toMatchObject({ code: 0, stderr: '' });
    expect(same.stdout).toBe(`main of ${byHand.dir} already has the change of ${runId}: nothing to do\n`);
    expect(byHand.state()).toEqual(before);
  });
});

describe('a merge', () => {
  test('that was not judged says so on the screen, as JSON and in the commit', async () => {
    const copy = new Copy();
    const head = copy.commit('notes.txt', 'more notes\n');
    const ended = await copy.apply();
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stdout).toMatch(/^merged as /);
    expect(ended.stdout).toContain('the merged tree was not judged');
    expect(copy.trailers('Seatrial-Status')).toBe(
      `unproven (merged into ${head.slice(0, 12)}; the merged tree was not judged)`,
    );
    expect(copy.git('rev-parse', 'HEAD~1')).toBe(head);
    expect(copy.read('notes.txt')).toBe('more notes\n');
    copy.git('reset', '--quiet', '--hard', head);
    const json = JSON.parse((await copy.apply('--json')).stdout) as object;
    expect(json).toMatchObject({ outcome: 'merged', merged: true, proven: false });
  });

  test('is none where the files are those of the base after all', async () => {
    const copy = new Copy();
    copy.git('commit', '--quiet', '--allow-empty', '-m', 'nothing');
    expect((await copy.apply()).stdout).toMatch(/^applied as /);
    expect(copy.trailers('Seatrial-Status')).toBe('');
  });

  test('brings the change alone, not what came between another branch and the base', async () => {
    const copy = new Copy();
    copy.git('switch', '--quiet', '--create', 'older', `${base}~1`);
    expect(await copy.apply()).toMatchObject({ code: 0 });
    expect(copy.git('diff-tree', '-r', '--name-only', '--no-commit-id', 'HEAD')).toBe('new.py\nsum.py');
    expect(existsSync(join(copy.dir, 'notes.txt'))).toBe(false);
  });

  test('that conflicts changes nothing', async () => {
    const copy = new Copy();
    copy.commit('sum.py', 'def total(numbers):\n    return 0\n');
    await expectRefused(copy, [], /conflicts with HEAD in sum\.py; nothing was changed/);
    await expectRefused(copy, ['--branch', 'late'], /conflicts with HEAD in sum\.py/);
    expect(copy.git('branch', '--list', 'late')).toBe('');
  });
});

describe('uncommitted changes', () => {
  test.each([[[]], [['--branch', 'fix']]])('in other files stay, outside of the commit (%j)', async (args) => {
    const copy = new Copy();
    copy.write('notes.txt', 'mine\n');
    copy.write('staged.txt', 'staged\n');
    copy.write('untracked.txt', 'untracked\n');
    copy.git('add', 'staged.txt');
    const ended = await copy.apply(...args);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toBe(
      'note: uncommitted changes stay as they are, outside of the commit: notes.txt, staged.txt\n',
    );
    expect(copy.git('status', '--porcelain').split('\n').toSorted()).toEqual([
      '?? untracked.txt',
      'A  staged.txt',
      'M notes.txt',
    ]);
    expect(copy.read('notes.txt')).toBe('mine\n');
    expect(copy.git('diff-tree', '-r', '--name-only', '--no-commit-id', 'HEAD')).toBe('new.py\nsum.py');
    expect(isFixed(copy)).toBe(true);
  });

  test('in a file of the patch are never written over', async () => {
    const edited = new Copy();
    edited.write('sum.py', 'mine\n');
    await expectRefused(edited, [], /uncommitted changes in what the patch touches \(sum\.py\)/);
    await expectRefused(edited, ['--branch', 'fix'], /uncommitted changes in what the patch touches \(sum\.py\)/);
    const staged = new Copy();
    appendFileSync(join(staged.dir, 'sum.py'), '# mine\n');
    staged.git('add', 'sum.py');
    await expectRefused(staged, [], /uncommitted changes in what the patch touches \(sum\.py\)/);
    const aside = await staged.apply('--branch', 'fix', '--no-checkout');
    expect(aside).toMatchObject({ code: 0 });
    expect(staged.read('sum.py')).toContain('# mine');
  });

  test('that are none, but for the time of a file, are none', async () => {
    const copy = new Copy();
    copy.write('sum.py', copy.read('sum.py'));
    expect(await copy.apply()).toMatchObject({ code: 0, stderr: '' });
    expect(isFixed(copy)).toBe(true);
  });

  test('untracked and even ignored files in the place of new ones are kept', async () => {
    const untracked = new Copy();
    untracked.write('new.py', 'mine\n');
    await expectRefused(untracked, [], /untracked files where the patch adds its own \(new\.py\)/);
    const ignored = new Copy();
    appendFileSync(join(ignored.dir, '.git/info/exclude'), 'new.py\n');
    ignored.write('new.py', 'mine\n');
    await expectRefused(ignored, ['--branch', 'fix'], /untracked files where the patch adds its own \(new\.py\)/);
    expect(ignored.read('new.py')).toBe('mine\n');
    const dir = new Copy();
    mkdirSync(join(dir.dir, 'new.py'));
    dir.write('new.py/mine.txt', 'mine\n');
    await expectRefused(dir, [], /untracked files where the patch adds its own \(new\.py\/mine\.txt\)/);
  });
});

describe('a repository in the middle of something', () => {
  test('a detached HEAD needs a branch', async () => {
    const copy = new Copy();
    copy.git('switch', '--quiet', '--detach');
    await expectRefused(copy, [], /HEAD is detached in .*: give --branch <name>/);
    expect(await copy.apply('--branch', 'fix')).toMatchObject({ code: 0 });
    expect(copy.git('symbolic-ref', 'HEAD')).toBe('refs/heads/fix');
    copy.git('switch', '--quiet', '--detach', '-');
    expect(copy.git('rev-parse', 'HEAD')).toBe(base);
  });

  test('a merge, a rebase, a cherry-pick and a bisection are finished first', async () => {
    const copy = new Copy();
    copy.git('switch', '--quiet', '--create', 'other');
    copy.commit('notes.txt', 'theirs\n');
    copy.git('switch', '--quiet', 'main');
    copy.commit('notes.txt', 'ours\n');
    for (const operation of ['merge', 'rebase', 'cherry-pick']) {
      expect(() => copy.git(operation, 'other')).toThrow('Command failed');
      await expectRefused(
        copy,
        ['--branch', 'fix'],
        new RegExp(`a ${operation} is in progress in .*: finish or abort it first`),
      );
      copy.git(operation, '--abort');
    }
    copy.git('bisect', 'start', 'HEAD', base);
    await expectRefused(copy, ['--branch', 'fix'], /a bisect is in progress/);
    const aside = await copy.apply('--branch', 'fix', '--no-checkout');
    expect(aside).toMatchObject({ code: 0 });
  });

  test('unresolved conflicts, of a stash say, are resolved first', async () => {
    const copy = new Copy();
    copy.write('notes.txt', 'mine\n');
    copy.git('stash', '--quiet');
    copy.commit('notes.txt', 'theirs\n');
    expect(() => copy.git('stash', 'pop')).toThrow('Command failed');
    await expectRefused(copy, [], /unresolved conflicts \(notes\.txt\)/);
    expect(copy.read('notes.txt')).toContain('mine');
  });

  test('a branch without a commit has nothing to build on', async () => {
    const copy = new Copy();
    copy.git('switch', '--quiet', '--orphan', 'empty');
    await expectRefused(copy, [], /has no commit on empty yet: check out [0-9a-f]{40}/);
    await expectRefused(copy, ['--branch', 'fix'], /has no commit on empty yet/);
    expect(await copy.apply('--branch', 'fix', '--no-checkout')).toMatchObject({ code: 0 });
    expect(copy.git('rev-parse', 'fix~1')).toBe(base);
  });

  test('a branch that another work tree has checked out stays where it is', async () => {
    const copy = new Copy();
    const other = join(project.root, 'other-worktree');
    copy.git('worktree', 'add', '--quiet', '--force', other, 'main');
    await expectRefused(copy, [], /branch main is checked out in .*other-worktree too/);
    expect(await copy.apply('--branch', 'fix')).toMatchObject({ code: 0 });
    expect(project.gitIn(other, 'status', '--porcelain')).toBe('');
  });
});

describe('kinds of repositories', () => {
  test('a bare one gets a branch and no work tree', async () => {
    const bare = join(project.root, 'bare.git');
    project.git('clone', '--quiet', '--bare', project.repo, bare);
    for (const args of [[], ['--branch', 'fix']]) {
      const ended = await project.apply(runId, ['--repo', bare, ...args]);
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain('is a bare repository');
    }
    expect(await project.apply(runId, ['--repo', bare, '--branch', 'fix', '--no-checkout'])).toMatchObject({ code: 0 });
    expect(project.gitIn(bare, 'show', 'fix:sum.py')).toContain('return sum(numbers)');
  });

  test('a read-only one is told before anything is written', async () => {
    const copy = new Copy();
    const before = copy.state();
    for (const part of ['.git', '']) {
      const readOnly = join(copy.dir, part);
      const through = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', readOnly, readOnly];
      const ended = await project.apply(runId, ['--repo', copy.dir], { through });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toMatch(/is read-only \(.*: the file system is read-only\), and nothing was changed/);
    }
    expect(copy.state()).toEqual(before);
  });

  test('one whose files cannot be written gets its branch back', async () => {
    const copy = new Copy();
    const file = join(copy.dir, 'sum.py');
    const through = ['bwrap', '--dev-bind', '/', '/', '--ro-bind', file, file];
    for (const args of [[], ['--branch', 'fix']]) {
      const { refs, head, sum } = copy.state();
      const ended = await project.apply(runId, ['--repo', copy.dir, ...args], { through });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain('could not be written, and no branch was moved');
      expect(copy.state()).toMatchObject({ refs, head, sum });
      rmSync(join(copy.dir, 'new.py'));
    }
  });

  test('one of another user is refused, as by git itself', async () => {
    const copy = new Copy();
    const before = copy.state();
    for (const path of [copy.dir, join(copy.dir, '.git')]) chownSync(path, 65_534, 65_534);
    const ended = await copy.apply();
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/cannot be used: .*dubious ownership/);
    for (const path of [copy.dir, join(copy.dir, '.git')]) chownSync(path, 0, 0);
    expect(copy.state()).toEqual(before);
  });

  test('one with submodules keeps them, and a patch that writes into one is refused', async () => {
    const library = join(project.root, 'library');
    const whole = join(project.root, 'whole');
    for (const dir of [library, whole]) project.git('clone', '--quiet', project.repo, dir);
    project.gitIn(whole, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', library, 'library');
    project.gitIn(whole, 'commit', '--quiet', '-m', 'a library');
    const ask = (command: string): Promise<Ended> =>
      project.seatrial([
        'run',
        '--repo',
        whole,
        '--ask',
        'x',
        '--test',
        TEST,
        '--engine',
        'command',
        '--command',
        command,
        '--json',
      ]);
    const good = JSON.parse((await ask(FIX)).stdout) as Report;
    expect(await project.apply(good.run_id)).toMatchObject({ code: 0, stderr: '' });
    expect(project.gitIn(whole, 'status', '--porcelain')).toBe('');
    const head = project.gitIn(whole, 'rev-parse', 'HEAD');
    const inside = JSON.parse((await ask('echo 1 > library/planted')).stdout) as Report;
    const ended = await project.apply(inside.run_id, ['--unproven']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain(
      'nothing was changed: git apply failed: error: unable to add cache entry for library/planted',
    );
    expect(project.gitIn(whole, 'rev-parse', 'HEAD')).toBe(head);
    expect(project.gitIn(whole, 'status', '--porcelain')).toBe('');
  });

  test('a shallow one serves', async () => {
    const shallow = join(project.root, 'shallow');
    project.git('clone', '--quiet', '--depth=1', `file://${project.repo}`, shallow);
    expect(await project.apply(runId, ['--repo', shallow])).toMatchObject({ code: 0 });
    project.gitIn(shallow, 'reset', '--quiet', '--hard', base);
    writeFileSync(join(shallow, 'notes.txt'), 'more\n');
    project.gitIn(shallow, 'commit', '--quiet', '--all', '-m', 'more');
    expect((await project.apply(runId, ['--repo', shallow])).stdout).toContain('merged as');
  });

  test('commit.gpgSign is answered with one sentence, and the commit is not signed', async () => {
    const copy = new Copy();
    copy.git('config', 'commit.gpgSign', 'true');
    const ended = await copy.apply();
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toMatch(/^note: commit\.gpgSign is set, but apply runs no program to sign with: .*\n$/);
    expect(copy.git('cat-file', '-p', 'HEAD')).not.toContain('gpgsig');
  });

  test('without a name for its author nothing is committed', async () => {
    const copy = new Copy();
    copy.git('config', 'user.useConfigOnly', 'true');
    const before = copy.state();
    const ended = await project.seatrial(['apply', runId, '--repo', copy.dir]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toContain('set user.name and user.email');
    expect(copy.state()).toEqual(before);
    copy.git('config', 'user.name', 'Grace');
    copy.git('config', 'user.email', 'grace@example.org');
    expect(await project.seatrial(['apply', runId, '--repo', copy.dir])).toMatchObject({ code: 0 });
    expect(copy.git('log', '-1', '--format=%an <%ae> %cn')).toBe('Grace <grace@example.org> Grace');
  });
});

describe('a bundle by an unknown signer', () => {
  let elsewhere: string;
  let home: { readonly env: Readonly<Record<string, string>> };
  beforeAll(() => {
    elsewhere = join(project.root, 'another-home');
    mkdirSync(elsewhere);
    home = { env: { HOME: elsewhere } };
  });

  test('is not applied as proven', async () => {
    const copy = new Copy();
    const before = copy.state();
    const ended = await project.apply(runId, ['--repo', copy.dir], home);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/is signed by key [0-9a-f]{64}, which is not trusted here/);
    expect(copy.state()).toEqual(before);
    const unproven = await project.apply(runId, ['--repo', copy.dir, '--unproven'], home);
    expect(unproven).toMatchObject({ code: 0 });
    expect(unproven.stdout).toMatch(/unproven: signer unknown: key [0-9a-f]{16}/);
    expect(copy.trailers('Seatrial-Status')).toMatch(/^unproven \(signer unknown: key [0-9a-f]{16}…\)$/);
  });

  test('is, once its key is pinned or given', async () => {
    const pem = (await project.seatrial(['key', 'show'])).stdout;
    const file = join(project.root, 'signer.pem');
    writeFileSync(file, pem);
    const given = new Copy();
    expect(await project.apply(runId, ['--repo', given.dir, '--key', file], home)).toMatchObject({ code: 0 });
    expect(given.trailers('Seatrial-Status')).toBe('');
    const trusted = join(elsewhere, '.config/seatrial/trusted_keys');
    mkdirSync(trusted, { recursive: true });
    writeFileSync(join(trusted, 'ada.pem'), pem);
    const pinned = new Copy();
    const ended = await project.apply(runId, ['--repo', pinned.dir, '--json'], home);
    expect(JSON.parse(ended.stdout)).toMatchObject({ proven: true });
    rmSync(trusted, { recursive: true });
  });

  test('another key than the one that was given is no proof, whatever is pinned', async () => {
    const file = join(project.root, 'other.pem');
    writeFileSync(file, generateKeyPairSync('ed25519').publicKey.export({ type: 'spki', format: 'pem' }));
    const copy = new Copy();
    for (const args of [[], ['--unproven']]) {
      const ended = await copy.apply('--key', file, ...args);
      expect(ended).toMatchObject({ code: 2 });
      expect(ended.stderr).toContain('not by the given key');
    }
  });
});
