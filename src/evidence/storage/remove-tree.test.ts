import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { removeTree } from './remove-tree.ts';

let root: string;
let tree: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'remove-tree-'));
  tree = join(root, 'tree');
  mkdirSync(tree);
});
afterEach(() => {
  spawnSync('chmod', ['-R', 'u+rwx', root]);
  rmSync(root, { recursive: true, force: true });
});

test('removes what is nested deeper than the longest path', async () => {
  const script = 'i=0; while [ $i -lt 60 ]; do mkdir "$1" && cd -P "$1" || exit 1; i=$((i + 1)); done; echo x > file';
  execFileSync('/bin/bash', ['-c', `cd "$2"; ${script}`, 'bash', 'd'.repeat(200), tree]);
  await removeTree(tree);
  expect(existsSync(tree)).toBe(false);
});

test('removes names that are not UTF-8, and links without what they lead to', async () => {
  const kept = join(root, 'kept');
  writeFileSync(kept, 'kept');
  symlinkSync(root, join(tree, 'up'));
  writeFileSync(Buffer.concat([Buffer.from(`${tree}/`), Buffer.from([0xff, 0xfe])]), '');
  await removeTree(tree);
  expect([existsSync(tree), existsSync(kept)]).toEqual([false, true]);
});

test('nothing there is no error, and a file is removed as well', async () => {
  const file = join(root, 'file');
  writeFileSync(file, '');
  await removeTree(join(root, 'missing'));
  await removeTree(file);
  expect(existsSync(file)).toBe(false);
});

test('as a plain user: removes directories without permissions', async () => {
  const closed = join(tree, 'closed');
  mkdirSync(join(closed, 'inner'), { recursive: true });
  writeFileSync(join(closed, 'inner/file'), '');
  const isRoot = process.getuid?.() === 0;
  if (isRoot)
    for (const path of ['', 'tree', 'tree/closed', 'tree/closed/inner']) chownSync(join(root, path), 65_534, 65_534);
  chmodSync(join(closed, 'inner'), 0);
  chmodSync(closed, 0);
  if (isRoot) process.seteuid?.(65_534);
  try {
    await removeTree(tree);
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
  expect(existsSync(tree)).toBe(false);
});

test('removes everything although others remove it at the same time', async () => {
  for (let n = 0; n < 300; n += 1) {
    mkdirSync(join(tree, `dir-${n}`));
    writeFileSync(join(tree, `dir-${n}/file`), '');
  }
  await Promise.all([removeTree(join(tree, 'dir-1')), removeTree(tree), removeTree(tree)]);
  expect(existsSync(tree)).toBe(false);
});
