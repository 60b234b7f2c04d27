import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { isAsMarked, type Marks, takeMarks } from './marks.ts';

const PARTS = ['tree', 'archive'];
const MANY_FILES = 5000;

let dir = '';
let marks: Marks;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'marks-'));
  mkdirSync(join(dir, 'tree/src/deep'), { recursive: true });
  for (const name of ['tree/top', 'tree/src/a b', 'tree/src/deep/c\nd', 'archive', 'other'])
    writeFileSync(join(dir, name), name);
  // Where a program for it is installed: these tests are about what it sees.
  marks = await takeMarks(dir, PARTS, MANY_FILES);
  const from = Date.now();
  await vi.waitUntil(() => Date.now() > from + 25, { interval: 5, timeout: 10_000 });
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

it('nothing that was not marked counts', async () => {
  writeFileSync(join(dir, 'other'), 'changed');
  expect(await isAsMarked(dir, PARTS, marks)).toBe(true);
});

const deep = (): string => join(dir, 'tree/src/deep/c\nd');

it.each<[string, () => void]>([
  [
    'a byte changed, with the old times',
    () => {
      const { atime, mtime } = statSync(deep());
      writeFileSync(deep(), 'Tree/src/deep/c\nd');
      utimesSync(deep(), atime, mtime);
    },
  ],
  [
    'a file swapped for one of the same size and times',
    () => {
      const { atime, mtime } = statSync(deep());
      writeFileSync(`${deep()}.new`, 'Tree/src/deep/c\nd');
      utimesSync(`${deep()}.new`, atime, mtime);
      renameSync(`${deep()}.new`, deep());
    },
  ],
  ['a file added at the top', () => writeFileSync(join(dir, 'tree/more'), '')],
  ['a file added below', () => writeFileSync(join(dir, 'tree/src/deep/more'), '')],
  ['a directory removed', () => rmSync(join(dir, 'tree/src'), { recursive: true })],
  ['a part removed', () => rmSync(join(dir, 'archive'))],
  ['a mode changed', () => chmodSync(join(dir, 'tree'), 0o700)],
])('is found: %s', async (_what, damage) => {
  expect(await isAsMarked(dir, PARTS, marks)).toBe(true);
  damage();
  expect(await isAsMarked(dir, PARTS, marks)).toBe(false);
});
