import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { visitFilesNoFollow } from './visit-files.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'visit-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const write = (path: string, text: string): void => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};

test('visits a limited number of files of a directory, and follows no link out of it', () => {
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
