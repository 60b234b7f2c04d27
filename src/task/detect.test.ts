import { expect, test } from 'vitest';
import { detectProject } from './detect.ts';

const project = (files: Record<string, string>) =>
  detectProject({ paths: Object.keys(files), read: (path) => files[path] ?? null });

test.each([
  [
    'npm with a test script and pinned packages',
    {
      'package.json': '{"scripts": {"test": "vitest run"}}',
      'package-lock.json': '{"packages": {"node_modules/x": {}}}',
    },
    { language: 'JavaScript', lockfile: 'package-lock.json', testCommand: 'npm test', setupCommand: 'npm ci' },
  ],
  [
    'npm with nothing pinned and no real test script',
    {
      'package.json': '{"scripts": {"test": "echo \\"Error: no test specified\\" && exit 1"}}',
      'package-lock.json': '{}',
      'a.test.mjs': '',
    },
    { language: 'JavaScript', testCommand: 'node --test', setupCommand: null },
  ],
  [
    'pnpm before npm',
    {
      'pnpm-lock.yaml': 'lockfileVersion: 9\npackages:\n',
      'package-lock.json': '{"packages": {"node_modules/x": {}}}',
    },
    { lockfile: 'pnpm-lock.yaml', setupCommand: 'pnpm install --frozen-lockfile', testCommand: null },
  ],
  [
    'pytest',
    { 'tests/test_a.py': 'def test(): pass', 'pyproject.toml': '[tool.pytest.ini_options]' },
    { language: 'Python', testCommand: 'python3 -m pytest -q' },
  ],
  ['unittest', { 'tests/test_a.py': 'import unittest' }, { testCommand: 'python3 -m unittest' }],
  [
    'cargo',
    { 'Cargo.toml': '[package]', 'Cargo.lock': 'source = "registry+x"' },
    { language: 'Rust', testCommand: 'cargo test', setupCommand: 'cargo fetch --locked' },
  ],
  ['go', { 'go.mod': 'module x' }, { language: 'Go', testCommand: 'go test ./...', setupCommand: null }],
  ['a shell script', { 'test.sh': '' }, { language: 'shell', testCommand: 'sh test.sh' }],
  ['nothing known', { 'README.md': '' }, { language: null, lockfile: null, testCommand: null, setupCommand: null }],
])('%s is seen for what it is', (_what, files, expected) => {
  expect(project(files)).toMatchObject(expected);
});
