import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { restoreDirs } from './restore.ts';
import { walkTree } from './walk.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'restore-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

test('a restored directory is as it was before, and all else is as it is', () => {
  write('kept.txt', 'one');
  write('.case/notes.md', "the repository's own");
  const before = walkTree(root);
  write('kept.txt', 'two');
  write('.case/notes.md', 'scribbled over');
  write('.case/run/events.jsonl', '{}');
  write('.casebook', 'not in the directory');
  symlinkSync('/etc', join(root, '.case/out'));
  const after = walkTree(root);
  const own = restoreDirs(after, before, ['.case']);
  expect([...own.entries.keys()]).toEqual(['.case', '.case/notes.md', '.casebook', 'kept.txt']);
  expect(own.entries.get('.case/notes.md')).toEqual(before.entries.get('.case/notes.md'));
  expect(own.entries.get('kept.txt')).toEqual(after.entries.get('kept.txt'));
  expect(own.faults).toEqual([]);
});
