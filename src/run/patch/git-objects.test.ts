import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { walkTree } from '../../task/tree/walk.ts';
import { blobId, objectId, treeId } from '../../task/git/objects.ts';
import { parseBatch } from './commits.ts';

test('the computed tree id is the one that git commits', () => {
  const dir = mkdtempSync(join(tmpdir(), 'objects-'));
  try {
    for (const name of ['a', 'a-b', 'a/deep']) mkdirSync(join(dir, name));
    for (const name of ['a.txt', 'a/x', 'a/deep/y', 'a-b/z', 'größe', 'new\nline'])
      writeFileSync(join(dir, name), name);
    chmodSync(join(dir, 'a/x'), 0o755);
    symlinkSync('a/x', join(dir, 'link'));
    const run = (...args: string[]): string => execFileSync('git', args, { cwd: dir, encoding: 'utf8' }).trim();
    run('init', '-q');
    run('add', '-A');
    const ours = treeId(
      [...walkTree(dir, { skipTopGit: true }).entries.values()].filter((entry) => entry.kind !== 'dir'),
      ({ path, bytes }) => blobId(bytes, [readFileSync(Buffer.concat([Buffer.from(`${dir}/`), path]))]),
    );
    expect(ours).toBe(run('write-tree'));
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

test('a commit counts only if its bytes hash to the requested id', () => {
  const body = Buffer.from(`tree ${'1'.repeat(40)}\nauthor a <a> 0 +0000\ncommitter a <a> 0 +0000\n\nm\n`);
  const id = objectId('commit', body);
  const answer = (claimed: string): Buffer =>
    Buffer.concat([Buffer.from(`${claimed} commit ${body.length}\n`), body, Buffer.from('\n')]);
  expect(parseBatch(answer(id), [id]).get(id)).toEqual({ id, tree: '1'.repeat(40) });
  expect(parseBatch(answer('2'.repeat(40)), ['2'.repeat(40)]).size).toBe(0);
  expect(parseBatch(answer(id), ['2'.repeat(40)]).size).toBe(0);
  expect(parseBatch(Buffer.from(`${id} missing\n`), [id]).size).toBe(0);
});
