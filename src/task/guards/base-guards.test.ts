import { describe, expect, test } from 'vitest';
import { guardedByBase, hookSettings } from './base-guards.ts';

const guarded = (files: Readonly<Record<string, string>>): string[] =>
  guardedByBase({ paths: Object.keys(files), has: (path) => path in files, read: (path) => files[path] ?? null });

describe('the base guards the hooks that its own files name', () => {
  test.each([
    [
      'lefthook',
      { 'lefthook.yml': 'pre-commit:\n  commands:\n    lint:\n      run: sh scripts/pre-commit.sh {staged_files}\n' },
      'scripts/pre-commit.sh',
    ],
    [
      'pre-commit',
      { '.pre-commit-config.yaml': 'repos:\n- repo: local\n  hooks:\n  - id: x\n    entry: ./tools/hooks/check.py\n' },
      'tools/hooks/check.py',
    ],
    ['simple-git-hooks', { 'package.json': '{"simple-git-hooks":{"pre-push":"./git-hook/push"}}' }, 'git-hook/push'],
    ['husky 4', { 'web/package.json': '{"husky":{"hooks":{"commit-msg":"node commit-msg.js"}}}' }, 'web/commit-msg.js'],
    ['husky', { '.husky/pre-commit': '. "$(dirname "$0")/_/husky.sh"\nscripts/hooks/lint\n' }, 'scripts/hooks/lint'],
  ])('%s', (_tool, files, path) => {
    expect(guarded(files)).toContain(path);
  });

  test('product code that a hook starts is not guarded', () => {
    expect(guarded({ '.husky/pre-commit': 'node bin/tool.js src/index.ts && npm test\n', 'bin/tool.js': '' })).toEqual(
      [],
    );
  });
});

test('the directories of runs and admissions are guarded if they are in the tree', () => {
  expect(guarded({ 'ops/seatrial.toml': 'runs = "evidence"\nadmissions = "../records/"\n' })).toEqual([
    'ops/evidence/',
    'records/',
  ]);
  expect(guarded({ 'seatrial.toml': 'runs = "/var/runs"\nadmissions = "../x"\n' })).toEqual([]);
  expect(guarded({ 'seatrial.toml': 'runs = ' })).toEqual([]);
});

describe('the hooks of a package.json', () => {
  const plain = '{"name":"x","scripts":{"test":"x"}}';
  test('are read from its keys, whatever their formatting', () => {
    expect(hookSettings(plain)).toBe(null);
    expect(hookSettings('{"simple-git-hooks":{"a":"b"},"husky":1}')).toBe(
      hookSettings('{ "husky": 1, "simple-git-hooks": {"a": "b"} }'),
    );
    expect(hookSettings('\uFEFF{"husky":1}')).toBe(hookSettings('{"husky":1}'));
    expect(hookSettings('{"husky":1}')).not.toBe(hookSettings('{"husky":2}'));
  });
  test('are also found in a file that is not valid JSON', () => {
    expect(hookSettings('{"name":"x",,}')).toBe(null);
    expect(hookSettings('{"husky":1,,}')).not.toBe(null);
  });
});
