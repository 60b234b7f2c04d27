import { expect, test } from 'vitest';
import { developerFiles, usesPackages } from './developer-files.ts';
import type { TestFiles } from '../must-fail/locate/site.ts';

const treeOf = (files: Readonly<Record<string, string>>): TestFiles => ({
  paths: Object.keys(files),
  read: (path) => files[path] ?? null,
});

test('what only a checkout has is left out, unless sources of the base name it', () => {
  const files = {
    '.gitignore': '',
    'README.md': '',
    'CHANGES.md': '',
    'package.json': '{}',
    'package-lock.json': '{}',
    'tsconfig.json': '{}',
    'vitest.config.ts': '',
    'src/a.js': "read('CHANGES.md')",
    'src/.keep': '',
    'data.json': '',
  };
  const names = ['.gitignore', 'README.md', 'package-lock.json', 'tsconfig.json', 'vitest.config.ts'];
  expect(developerFiles(treeOf(files), treeOf(files))).toEqual(names);
  // What the patch itself names may be a sign to it.
  const patched = treeOf({ ...files, 'src/a.js': "read('README.md')" });
  expect(developerFiles(patched, treeOf(files))).toEqual(names);
});

test.each([
  ["import x from 'left-pad';", true],
  ["const x = require('@scope/name');", true],
  ["export * from 'left-pad';", true],
  ["const x = await import('left-pad');", true],
  ["import fs from 'node:fs';\nimport './b.js';\nconst os = require('os');", false],
])('%s: packages are loaded: %s', (text, expected) => {
  expect(usesPackages(treeOf({ 'src/a.ts': text, 'test/a.test.ts': "import { it } from 'vitest';" }))).toBe(expected);
});
