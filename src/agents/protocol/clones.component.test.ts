import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Agent, Project } from '../config/project.ts';
import { ensureClone, faultOfClaim, giveCommit } from './clones.ts';

const git = (cwd: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd, encoding: 'utf8' }).trim();

function place() {
  const root = mkdtempSync(join(tmpdir(), 'seatrial-clones-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const [builder, adversary, scratch] = ['builder', 'adversary', 'scratch'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  mkdirSync(builder);
  mkdirSync(scratch);
  git(builder, 'init', '-q', '-b', 'main');
  const commit = (name: string): string => {
    writeFileSync(join(builder, name), name);
    git(builder, 'add', '-A');
    git(builder, 'commit', '-q', '-m', name);
    return git(builder, 'rev-parse', 'HEAD');
  };
  const base = commit('base');
  git(root, 'clone', '-q', builder, adversary);
  return { builder, adversary, scratch, commit, base };
}

test('a clone that two ask for at once is made once, and whole', async () => {
  const { builder, scratch, base } = place();
  const [project, agent] = [{ repo: builder, logDir: scratch } as Project, { name: 'b', role: 'builder' } as Agent];
  await Promise.all([ensureClone(project, agent), ensureClone(project, agent), ensureClone(project, agent)]);
  expect(git(join(scratch, 'clones/b'), 'rev-parse', 'HEAD')).toBe(base);
  expect(readFileSync(join(scratch, 'clones/b/.git/config'), 'utf8').match(/\[user\]/g)).toHaveLength(1);
});

test('a claim must be a commit of the clone, not the base, and descend from it', async () => {
  const { builder, scratch, commit, base } = place();
  const claim = commit('work');
  const ask = (asked: string) => faultOfClaim({ clone: builder, base, commit: asked, scratch });
  expect(await ask(claim)).toBeNull();
  expect(await ask(base)).toBe('it is the commit that the phase began with');
  expect(await ask('f'.repeat(40))).toBe("there is no such commit in the builder's clone");
  git(builder, 'checkout', '-q', '--orphan', 'other');
  expect(await ask(commit('unrelated'))).toBe(`it does not descend from the base ${base}`);
});

test('the adversary is given the claimed commit and nothing else of the builder', async () => {
  const { builder, adversary, scratch, commit, base } = place();
  const claim = commit('claimed');
  git(builder, 'checkout', '-q', '-b', 'private', base);
  const secret = commit('private');
  await giveCommit({ from: builder, to: adversary, base, commit: claim, scratch, ref: 'claim' });
  expect(git(adversary, 'rev-parse', 'refs/seatrial/claim')).toBe(claim);
  expect(git(adversary, 'show', `${claim}:claimed`)).toBe('claimed');
  expect(() => git(adversary, 'cat-file', '-e', secret)).toThrow('Command failed');
});

test('a commit can be given although the base is not in the clone', async () => {
  const { builder, adversary, scratch, commit } = place();
  const base = commit('later base');
  const claim = commit('claimed');
  await giveCommit({ from: builder, to: adversary, base, commit: claim, scratch, ref: 'claim' });
  expect(git(adversary, 'show', `${claim}:later base`)).toBe('later base');
});

test("no program that the builder's or the adversary's configuration names is started", async () => {
  const { builder, adversary, scratch, commit, base } = place();
  const claim = commit('claimed');
  const trap = join(scratch, 'trapped');
  for (const clone of [builder, adversary]) {
    git(clone, 'config', 'core.fsmonitor', `touch ${trap}`);
    git(clone, 'config', 'uploadpack.packObjectsHook', `touch ${trap}`);
    for (const hook of ['reference-transaction', 'post-checkout']) {
      writeFileSync(join(clone, '.git/hooks', hook), `#!/bin/sh\ntouch ${trap}\n`, { mode: 0o755 });
    }
  }
  expect(await faultOfClaim({ clone: builder, base, commit: claim, scratch })).toBeNull();
  await giveCommit({ from: builder, to: adversary, base, commit: claim, scratch, ref: 'claim' });
  expect(() => rmSync(trap)).toThrow('ENOENT');
});

test('objects are not written through a link', async () => {
  const { builder, adversary, scratch, commit, base } = place();
  const claim = commit('claimed');
  const elsewhere = join(scratch, 'elsewhere');
  mkdirSync(elsewhere);
  rmSync(join(adversary, '.git/objects'), { recursive: true });
  symlinkSync(elsewhere, join(adversary, '.git/objects'));
  await expect(
    giveCommit({ from: builder, to: adversary, base, commit: claim, scratch, ref: 'claim' }),
  ).rejects.toThrow(/objects/);
});
