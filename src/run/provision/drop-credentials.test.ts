import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkTree } from '../../task/tree/walk.ts';
import { dropCredentials } from './drop-credentials.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'drop-credentials-'));
  for (const name of ['work', 'caches']) mkdirSync(join(root, name));
});
afterEach(() => rmSync(root, { recursive: true }));

function put(...paths: string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), 'x');
  }
}

test('credential files of package managers are removed, except those of the base', () => {
  const kept = ['work/.npmrc', 'work/packages/web/.yarnrc.yml'];
  put(...kept);
  const before = walkTree(join(root, 'work'));
  const dropped = ['work/packages/web/.npmrc', 'work/.netrc', 'work/.venv/pip.conf', 'caches/cargo/credentials.toml'];
  const others = [
    'work/made.txt',
    'work/node_modules/words/.npmrc',
    'work/.venv/lib/words/credentials',
    'caches/cargo/config.toml',
    'caches/cargo/registry/src/words/credentials',
  ];
  put(...dropped, ...others);
  dropCredentials(join(root, 'work'), before, join(root, 'caches'));
  expect([...kept, ...others].filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(dropped.filter((path) => existsSync(join(root, path)))).toEqual([]);
});
