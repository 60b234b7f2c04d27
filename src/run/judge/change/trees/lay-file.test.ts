import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layFile } from './lay-file.ts';

let scratch: string;
const at = (...names: string[]): string => join(scratch, ...names);
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'lay-file-'));
  for (const name of ['outside', 'from', 'to/dir']) mkdirSync(at(name), { recursive: true });
  writeFileSync(at('outside/secret'), 'of this machine\n');
  writeFileSync(at('to/dir/secret'), 'of the tree\n');
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

test.each([
  ['a link above it', () => symlinkSync(at('outside'), at('from/dir'))],
  ['a file above it', () => writeFileSync(at('from/dir'), 'no directory\n')],
  ['nothing above it', () => {}],
])('a path at which the other tree has %s is removed, and nothing is read through a link', (_what, make) => {
  make();
  layFile(at('to'), at('from'), 'dir/secret');
  expect(existsSync(at('to/dir/secret'))).toBe(false);
});

test('a link of the tree is replaced by a directory, not written through', () => {
  rmSync(at('to/dir'), { recursive: true });
  symlinkSync(at('outside'), at('to/dir'));
  mkdirSync(at('from/dir'));
  writeFileSync(at('from/dir/secret'), 'of the other tree\n');
  layFile(at('to'), at('from'), 'dir/secret');
  expect(lstatSync(at('to/dir')).isDirectory()).toBe(true);
  expect(readFileSync(at('outside/secret'), 'utf8')).toBe('of this machine\n');
  expect(readFileSync(at('to/dir/secret'), 'utf8')).toBe('of the other tree\n');
});
