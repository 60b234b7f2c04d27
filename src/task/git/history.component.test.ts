import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkTree } from '../tree/walk.ts';
import { commitBase } from './base-commit.ts';
import { makeGitDir } from './call.ts';
import { copyCommit } from './copy-commit.ts';
import { copyHistory, type History, layHistory } from './history.ts';

let root: string;
let repo: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'history-'));
  repo = join(root, 'repo');
  execFileSync('git', ['init', '--quiet', '--initial-branch=main', repo]);
  for (const text of ['one', 'two', 'three']) commit(text);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const inRepo = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], {
    cwd: repo,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  }).trim();

function commit(text: string): void {
  writeFileSync(join(repo, 'file.txt'), `${text}\n`);
  inRepo('add', '--all');
  inRepo('commit', '--quiet', '--message', text);
}

async function take(name: string, generations: number, from = repo): Promise<History> {
  const gitDir = join(root, 'git');
  const id = await copyCommit({ repo: from, name, gitDir, target: join(root, 'files') });
  return copyHistory({ repo: from, gitDir, commit: id, generations, target: join(root, 'history') });
}

/** A workspace with the taken files and their history. */
function lay(history: History): (...args: string[]) => string {
  const dir = join(root, 'files');
  const gitDir = join(dir, '.git');
  makeGitDir(gitDir);
  commitBase(gitDir, dir, walkTree(dir, { skipTopGit: true }), history);
  layHistory(history, gitDir);
  return (...args) => execFileSync('git', args, { cwd: dir, encoding: 'utf8' }).trim();
}

test('the commits before a commit are real, and those after it are not there', async () => {
  inRepo('tag', 'later', 'main');
  const history = await take('main~1', 9);
  const git = lay(history);
  expect(history.commits).toBe(2);
  expect(git('log', '--format=%H %s')).toBe(
    `${inRepo('rev-parse', 'main~1')} two\n${inRepo('rev-parse', 'main~2')} one`,
  );
  expect(git('status', '--short')).toBe('');
  expect(git('for-each-ref', '--format=%(refname)')).toBe('refs/heads/main');
  expect(git('cat-file', '--batch-all-objects', '--batch-check')).not.toContain(inRepo('rev-parse', 'main:file.txt'));
  expect(git('fsck', '--strict')).toBe('');
});

test('where the tree differs from the commit, as with uncommitted changes, a base commit follows it', async () => {
  const history = await take('main', 2);
  writeFileSync(join(root, 'files', 'file.txt'), 'not committed\n');
  const git = lay(history);
  expect(git('log', '--format=%s')).toBe('Base\nthree\ntwo');
  expect(git('status', '--short')).toBe('');
});

test('a shallow clone gives what it has', async () => {
  const clone = join(root, 'clone');
  execFileSync('git', ['clone', '--quiet', '--depth=2', `file://${repo}`, clone]);
  const history = await take('main', 9, clone);
  expect(history.commits).toBe(2);
  expect(lay(history)('log', '--format=%s')).toBe('three\ntwo');
});

test('objects that are missing are said, with what to do', async () => {
  const blob = inRepo('rev-parse', 'main~2:file.txt');
  rmSync(join(repo, '.git/objects', blob.slice(0, 2), blob.slice(2)));
  await expect(take('main', 3)).rejects.toThrow(/the history of .* cannot be copied: .*; leave out --history/);
  expect(existsSync(join(root, 'files', 'file.txt'))).toBe(true);
});
