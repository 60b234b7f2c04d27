import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkTree } from '../../../task/tree/walk.ts';
import { withoutStateDirs } from './state-dirs.ts';
import { visitFilesNoFollow } from '../../../task/tree/visit-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'leavings-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

test("an engine's leavings are as they were before it came, and all else is as it is", () => {
  write('kept.txt', 'one');
  write('.case/notes.md', "the repository's own");
  const before = walkTree(root);
  write('kept.txt', 'two');
  write('.case/notes.md', 'scribbled over');
  write('.case/run/events.jsonl', '{}');
  write('.casebook', 'not a leaving');
  symlinkSync('/etc', join(root, '.case/out'));
  const after = walkTree(root);
  const own = withoutStateDirs(after, before, ['.case']);
  expect([...own.entries.keys()]).toEqual(['.case', '.case/notes.md', '.casebook', 'kept.txt']);
  expect(own.entries.get('.case/notes.md')).toEqual(before.entries.get('.case/notes.md'));
  expect(own.entries.get('kept.txt')).toEqual(after.entries.get('kept.txt'));
  expect(own.faults).toEqual([]);
});

test('files are looked at in a folder, as many as are worth it, and no link leads out of it', () => {
  write('outside/secret.jsonl', 'secret');
  write('work/log/events/run.jsonl', 'line');
  symlinkSync(join(root, 'outside/secret.jsonl'), join(root, 'work/log/events/link.jsonl'));
  const seen = (dir: string): string[] => {
    const names: string[] = [];
    visitFilesNoFollow(join(root, 'work'), dir, (name) => names.push(name));
    return names;
  };
  expect(seen('log/events')).toEqual(['run.jsonl']);
  symlinkSync(join(root, 'outside'), join(root, 'work/linked'));
  expect(seen('linked')).toEqual([]);
  expect(seen('nowhere')).toEqual([]);
  for (let at = 0; at < 300; at++) write(`work/flood/${at}.jsonl`, '');
  expect(seen('flood')).toHaveLength(100);
});
