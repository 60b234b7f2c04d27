import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { resolveWithin } from './resolve-within.ts';

const tree = mkdtempSync(join(tmpdir(), 'within-'));
afterAll(() => rmSync(tree, { recursive: true, force: true }));
mkdirSync(join(tree, 'a/b'), { recursive: true });
writeFileSync(join(tree, 'a/b/file'), '');
for (const [link, target] of [
  ['to-b', 'a/b'],
  ['a/up', '../to-b'],
  ['out', '..'],
  ['a/far', '../../etc'],
  ['whole', '/etc'],
  ['loop', 'loop'],
  ['gone', 'nothing'],
])
  symlinkSync(target ?? '', join(tree, link ?? ''));

test.each([
  ['', ''],
  ['a/./b/file', 'a/b/file'],
  ['a/b/../b', 'a/b'],
  ['to-b/file', 'a/b/file'],
  ['a/up/file', 'a/b/file'],
  ['out', null],
  ['a/far/passwd', null],
  ['whole/passwd', null],
  ['../etc', null],
  ['loop', null],
  ['gone', null],
  ['a/b/file/x', null],
])('%j leads to %j', (path, to) => {
  expect(resolveWithin(tree, path)).toBe(to);
});
