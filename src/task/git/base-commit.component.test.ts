import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { makeGitDir } from './call.ts';
import { walkTree } from '../tree/walk.ts';
import { shareTree } from '../tree/copy.ts';
import { LayeredEntries } from '../tree/layered/layered-entries.ts';
import { commitOver, openCommitted, writeIds } from './commit-over.ts';
import { commitBase, commitSharing, type CommittedTree } from './base-commit.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'base-commit-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const DATE = '2000-01-01T00:00:00Z';

function git(gitDir: string, ...args: string[]): string {
  const who = { name: 'Seatrial', email: 'seatrial@localhost' };
  return execFileSync('git', ['-c', `user.name=${who.name}`, '-c', `user.email=${who.email}`, ...args], {
    cwd: dir,
    encoding: 'utf8',
    env: {
      PATH: '/usr/bin:/bin',
      GIT_DIR: gitDir,
      GIT_WORK_TREE: dir,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_AUTHOR_DATE: DATE,
      GIT_COMMITTER_DATE: DATE,
    },
  }).trim();
}

function commit(): string {
  makeGitDir(join(dir, '.git'));
  return commitBase(join(dir, '.git'), dir, walkTree(dir, { skipTopGit: true })).commit;
}

it('the commit equals the one that git creates, passes fsck, and leaves a clean status', () => {
  mkdirSync(join(dir, 'src', 'deep'), { recursive: true });
  mkdirSync(join(dir, 'empty'));
  for (const bytes of [0, 15, 16, 2047, 2048, 65_535, 65_536, 3_000_000])
    writeFileSync(join(dir, 'src', `${bytes}`), Buffer.alloc(bytes, `${bytes}`));
  writeFileSync(join(dir, 'src', 'deep', 'twice'), Buffer.alloc(2048, '2048'));
  writeFileSync(join(dir, 'src.txt'), 'sorts before the directory, for git\n');
  writeFileSync(join(dir, '.gitignore'), '*\n');
  writeFileSync(join(dir, '.gitattributes'), '* text eol=lf\n');
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0x0a])]), 'bytes');
  writeFileSync(join(dir, 'run'), 'true');
  chmodSync(join(dir, 'run'), 0o755);
  symlinkSync('run', join(dir, 'link'));
  const id = commit();
  const own = join(dir, '.git');
  expect(git(own, 'fsck', '--strict', '--full')).toBe('');
  expect(git(own, 'rev-parse', 'HEAD')).toBe(id);
  expect(git(own, 'status', '--porcelain')).toBe('');

  const other = mkdtempSync(join(tmpdir(), 'base-commit-git-'));
  try {
    git(other, 'init', '--quiet', '--initial-branch=main');
    mkdirSync(join(other, 'info'), { recursive: true });
    writeFileSync(join(other, 'info', 'attributes'), '* -text\n');
    git(other, 'add', '--all', '--force', '.');
    git(other, 'commit', '--quiet', '-m', 'Base');
    expect(git(other, 'rev-parse', 'HEAD')).toBe(id);
  } finally {
    rmSync(other, { recursive: true, force: true });
  }
});

it('an agent can continue from it: change, commit, show the log', () => {
  writeFileSync(join(dir, 'file'), 'old\n');
  const base = commit();
  writeFileSync(join(dir, 'file'), 'new\n');
  const own = join(dir, '.git');
  expect(git(own, 'status', '--porcelain')).toBe('M file');
  git(own, 'commit', '--quiet', '-am', 'Change');
  expect(git(own, 'rev-list', 'HEAD').split('\n')).toEqual([git(own, 'rev-parse', 'HEAD'), base]);
  expect(git(own, 'show', `${base}:file`)).toBe('old');
});

it('a tree without files has a commit too', () => {
  expect(commit()).toMatch(/^[0-9a-f]{40}$/);
  expect(git(join(dir, '.git'), 'status', '--porcelain')).toBe('');
});

it('a tree that shares files with a committed one gets the commit that it would get alone, with all its objects', () => {
  const [first, second] = [join(dir, 'first'), join(dir, 'second')];
  mkdirSync(join(first, 'src'), { recursive: true });
  for (const name of ['a', 'src/b', 'src/c', 'gone']) writeFileSync(join(first, name), name.repeat(1000));
  symlinkSync('a', join(first, 'link'));
  shareTree(first, second);
  rmSync(join(second, 'gone'));
  mkdirSync(join(second, 'gone'));
  writeFileSync(join(second, 'gone/inside'), 'a directory in the place of a file');
  rmSync(join(second, 'src/b'));
  writeFileSync(join(second, 'src/b'), 'B'.repeat(5000));
  chmodSync(join(second, 'src/b'), 0o755);
  const commitTo = (name: string, of: string, earlier: CommittedTree | null): CommittedTree => {
    makeGitDir(join(dir, name));
    return commitSharing(join(dir, name), of, earlier);
  };
  const earlier = commitTo('first.git', first, null);
  const shared = commitTo('second.git', second, earlier);
  expect(shared.commit).toBe(commitTo('alone.git', second, null).commit);
  expect(git(shared.gitDir, 'fsck', '--strict', '--full', '--no-dangling')).toBe('');
  expect(git(shared.gitDir, `--work-tree=${second}`, 'status', '--porcelain')).toBe('');
});

it('a tree over a committed one gets the commit and the index that it would get alone', () => {
  const [below, over] = [join(dir, 'below'), join(dir, 'over')];
  for (const at of [below, over]) {
    for (const name of ['src/deep', 'other/one', 'gone']) mkdirSync(join(at, name), { recursive: true });
    for (const name of ['a', 'src.txt', 'src/b', 'src/deep/c', 'other/one/d', 'gone/e', 'turns', 'a\xff'])
      writeFileSync(join(at, name), `${name}\n`);
    symlinkSync('a', join(at, 'link'));
  }
  writeFileSync(join(over, 'src/deep/c'), 'changed\n');
  writeFileSync(join(over, 'src/new'), 'new\n');
  chmodSync(join(over, 'a'), 0o755);
  rmSync(join(over, 'gone'), { recursive: true });
  writeFileSync(join(over, 'gone'), 'a file now\n');
  rmSync(join(over, 'turns'));
  mkdirSync(join(over, 'turns/into'), { recursive: true });
  writeFileSync(join(over, 'turns/into/dirs'), 'deep\n');
  rmSync(join(over, 'other/one/d'));
  rmSync(join(over, 'link'));
  symlinkSync('src', join(over, 'link'));
  const walked = walkTree(below);
  const tree = { ...walked, entries: LayeredEntries.of(walked.entries) };
  makeGitDir(join(dir, 'below.git'));
  const committed = commitBase(join(dir, 'below.git'), below, tree);
  const base = openCommitted(join(dir, 'below.git'), below, tree, writeIds(committed));
  if (base === null) throw new Error('the tree is no table');
  const now = walkTree(over).entries;
  const gone = [...tree.entries.keys()].filter((key) => !now.has(key)).map((key) => [key, null] as const);
  makeGitDir(join(dir, 'over.git'), [join(dir, 'below.git/objects')]);
  commitOver(
    join(dir, 'over.git'),
    { dir: over, tree: { entries: tree.entries.with([...gone, ...now]), faults: [] } },
    base,
  );
  makeGitDir(join(dir, 'alone.git'));
  commitSharing(join(dir, 'alone.git'), over, null);
  for (const name of ['packed-refs', 'index'])
    expect(readFileSync(join(dir, 'over.git', name))).toEqual(readFileSync(join(dir, 'alone.git', name)));
  expect(git(join(dir, 'over.git'), 'fsck', '--strict', '--full', '--no-dangling')).toBe('');
  expect(git(join(dir, 'over.git'), `--work-tree=${over}`, 'status', '--porcelain')).toBe('');
});
