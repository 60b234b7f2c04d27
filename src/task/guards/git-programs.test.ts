import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gitPrograms, HOOK_NAMES, parseGitSettings, pathsInTree } from './git-programs.ts';

const ROOT = '/home/ada/adder';
const inTree = (key: string, value: string, origin: string | null = `${ROOT}/.git/config`): string[] =>
  pathsInTree([{ origin, key, value }], { root: ROOT, home: '/home/ada', isFile: (path) => path === 'clean' });

describe('a git setting guards the paths in the tree that it names', () => {
  test.each([
    ['core.hookspath', '.githooks', ['.githooks/']],
    ['core.hookspath', './tools/hooks/', ['tools/hooks/']],
    ['core.hookspath', '~/adder/hooks', ['hooks/']],
    ['core.hookspath', `${ROOT}/hooks`, ['hooks/']],
    ['core.hookspath', '.git/hooks/../../scripts', ['scripts/']],
    ['include.path', '../.gitconfig', ['.gitconfig']],
    ['includeIf.gitdir:~/.path', '../.gitconfig', []],
    ['includeif.gitdir:~/.path', '../conf/git', ['conf/git']],
    ['filter.enc.smudge', './tools/decrypt.sh %f', ['tools/decrypt.sh/']],
    ['filter.Enc.clean', 'sh tools/encrypt.sh', ['tools/encrypt.sh/']],
    ['filter.enc.process', '"$(git rev-parse --show-toplevel)"/tools/enc', ['tools/enc/']],
    ['filter.enc.clean', 'sh encrypt.sh', ['encrypt.sh/']],
    ['filter.enc.clean', 'python3 -m tools.enc', ['tools/enc.py', 'tools/enc/']],
    ['filter.enc.clean', 'cd tools && ./enc', ['enc/', 'tools/']],
    ['filter.enc.clean', "'my tools/enc' %f", ['my tools/enc/', 'tools/enc/']],
    ['filter.enc.clean', 'A=1 node tools/enc.js --key=tools/key', ['tools/enc.js/', 'tools/key/']],
    ['filter.enc.clean', 'sed s/a/b/ clean', ['clean', 's/a/b/']],
    ['diff.pdf.textconv', 'tools/pdf', ['tools/pdf/']],
    ['diff.external', 'tools/diff', ['tools/diff/']],
    ['merge.lock.driver', './tools/merge.sh %O %A %B', ['tools/merge.sh/']],
    ['credential.helper', '!./tools/cred', ['tools/cred/']],
    ['core.fsmonitor', '.git/hooks/../../watch/it', ['watch/it/']],
  ])('%s = %s', (key, value, paths) => {
    expect(inTree(key, value)).toEqual(paths);
  });

  test.each([
    ['filter.lfs.clean', 'git-lfs clean -- %f'.replace('clean', 'smudge')],
    ['filter.lfs.process', 'git-lfs filter-process'],
    ['core.hookspath', '~/.hooks'],
    ['core.hookspath', '/etc/git/hooks'],
    ['core.editor', 'code --wait'],
    ['core.pager', '/usr/bin/less -R'],
    ['core.sshcommand', 'ssh -i ~/.ssh/id'],
    ['credential.helper', '!/usr/bin/gh auth git-credential'],
    ['core.fsmonitor', 'true'],
    ['include.path', '~/.config/git/more'],
    ['alias.t', '!./tools/test'],
    ['remote.origin.url', '../other/repo'],
    ['user.name', 'a/b'],
  ])('paths outside the tree and settings that run nothing are not guarded: %s = %s', (key, value) => {
    expect(inTree(key, value)).toEqual([]);
  });

  test('hooks at the root of the tree are guarded by name, not the whole tree', () => {
    expect(inTree('core.hookspath', '.')).toEqual([...HOOK_NAMES].toSorted());
  });
});

test('values may contain line breaks, and a key may have no value', () => {
  const listed = 'file:/a\0core.x\na\nb\0command line:\0core.bare\0';
  expect(parseGitSettings(Buffer.from(listed))).toEqual([
    { origin: '/a', key: 'core.x', value: 'a\nb' },
    { origin: null, key: 'core.bare', value: '' },
  ]);
});

describe('in a repository', () => {
  let repo: string;
  beforeEach(() => {
    repo = mkdtempSync(join(tmpdir(), 'git-programs-'));
    execFileSync('git', ['init', '--quiet', repo]);
  });
  afterEach(() => rmSync(repo, { recursive: true, force: true }));

  const config = (...args: string[]): unknown => execFileSync('git', ['-C', repo, 'config', ...args]);
  const found = (): Promise<string[]> => gitPrograms(repo, () => false);

  test('its own settings and included settings count', async () => {
    config('core.hooksPath', '.hooks');
    config('include.path', '../.gitconfig');
    writeFileSync(join(repo, '.gitconfig'), '[filter "enc"]\n\tclean = tools/enc\n');
    expect(await found()).toEqual(expect.arrayContaining(['.gitconfig', '.hooks/', 'tools/enc/']));
  });

  test('a linked work tree has the settings of its repository', async () => {
    config('core.hooksPath', '.hooks');
    const linked = join(repo, 'linked');
    mkdirSync(linked);
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    execFileSync('git', ['-C', repo, ...identity, 'commit', '--quiet', '--allow-empty', '-m', 'x']);
    execFileSync('git', ['-C', repo, 'worktree', 'add', '--quiet', '--force', linked]);
    expect(await gitPrograms(linked, () => false)).toContain('.hooks/');
  });

  test('an unreadable configuration is an error', async () => {
    writeFileSync(join(repo, '.git/config'), '[core\n');
    await expect(found()).rejects.toThrow(`the git configuration of ${repo} cannot be read`);
  });
});
