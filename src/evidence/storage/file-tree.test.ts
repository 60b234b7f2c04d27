import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sha256 } from '../../kernel/digest.ts';
import { readFileTree } from './file-tree.ts';
import { buildManifest } from '../bundle/manifest.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seatrial-tree-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('lists every file once, sorted, whatever its name', () => {
  mkdirSync(join(root, 'b'));
  writeFileSync(join(root, 'b', 'with space'), 'x');
  writeFileSync(join(root, 'ä'), '');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/bad-`), Buffer.from([0xff, 0x0a])]), 'y');
  const { files, faults } = readFileTree(root);
  expect(faults).toEqual([]);
  expect(files.map(({ path, bytes }) => [path, bytes])).toEqual([
    ['"bad-\\377\\n"', 1],
    ['b/with space', 1],
    ['ä', 0],
  ]);
  expect(files[1]?.sha256).toBe(sha256('x'));
});

test('hashes a large file in chunks', () => {
  const path = join(root, 'large');
  writeFileSync(path, '');
  truncateSync(path, 65 * 1024 * 1024);
  const [file] = readFileTree(root).files;
  expect(file).toMatchObject({ bytes: 65 * 1024 * 1024, sha256: sha256(Buffer.alloc(65 * 1024 * 1024)) });
});

test('a bundle with a link in it cannot be sealed', () => {
  writeFileSync(join(root, 'report.json.tmp'), '{}');
  symlinkSync('/etc/passwd', join(root, 'link'));
  expect(() => buildManifest(root, 'r')).toThrow(/link is neither a regular file nor a directory; remove it/);
});
