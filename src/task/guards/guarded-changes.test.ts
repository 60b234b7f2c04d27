import { describe, expect, test } from 'vitest';
import type { Tree, TreeEntry } from '../tree/walk.ts';
import { pathText } from '../../kernel/path-text.ts';
import { compareTrees } from '../tree/compare.ts';
import { guardedChanges } from './guarded-changes.ts';

/** A tree by its leaves: `name: 'text'` is a file, `name: '-> target'` a link. */
function tree(leaves: Readonly<Record<string, string>>): Tree {
  const entries = new Map<string, TreeEntry>();
  for (const [name, text] of Object.entries(leaves)) {
    const path = Buffer.from(name);
    const parts = name.split('/');
    for (const depth of parts.keys()) {
      const dir = parts.slice(0, depth).join('/');
      if (depth > 0) entries.set(dir, { kind: 'dir', path: Buffer.from(dir), ctimeMs: 0 });
    }
    const target = /^-> (.*)$/s.exec(text)?.[1];
    entries.set(
      name,
      target === undefined
        ? { kind: 'file', path, executable: false, sha256: text, bytes: text.length, ctimeMs: 0 }
        : { kind: 'link', path, target: Buffer.from(target), ctimeMs: 0 },
    );
  }
  return { entries, faults: [] };
}

type Leaves = Readonly<Record<string, string>>;

/** What is refused of a change from one tree to another; files that are not named again stay. */
function refused(
  before: Leaves,
  change: Readonly<Record<string, string | null>>,
  guarded: readonly string[] = [],
): string[] {
  const after = Object.fromEntries(
    Object.entries({ ...before, ...change }).filter((leaf): leaf is [string, string] => leaf[1] !== null),
  );
  const trees = { before: tree(before), after: tree(after) };
  const changes = compareTrees(trees.before, trees.after);
  const facts = {
    ...trees,
    guarded,
    packageText: ({ path }: { path: Buffer }, side: 'before' | 'after') =>
      (side === 'before' ? before : after)[path.toString()] ?? null,
  };
  return guardedChanges(changes, facts).map(({ path }) => pathText(path));
}

const BASE = { 'src/a.py': 'a', 'seatrial.toml': 's', '.husky/pre-commit': 'h', '.gitmodules': 'm' };

describe('no engine may change a guarded path, even if everything is allowed', () => {
  test.each([
    ['adds it', { 'web/.seatrial/task.toml': 't' }, ['web/.seatrial/task.toml']],
    ['changes it', { 'seatrial.toml': 'other' }, ['seatrial.toml']],
    ['deletes it', { '.husky/pre-commit': null }, ['.husky/pre-commit']],
    ['moves it away', { '.gitmodules': null, 'modules.txt': 'm' }, ['.gitmodules']],
    ['moves something there', { 'src/a.py': null, '.githooks/post-merge': 'a' }, ['.githooks/post-merge']],
    ['puts a link there', { '.seatrial': '-> src' }, ['.seatrial']],
    [
      'turns a directory into a link',
      { '.husky/pre-commit': null, '.husky': '-> src' },
      ['.husky', '.husky/pre-commit'],
    ],
    ['uses another spelling', { 'SeaTrial.toml.': 's' }, ['SeaTrial.toml.']],
  ])('%s', (_what, change, paths) => {
    expect(refused(BASE, change)).toEqual(paths);
  });

  test('unchanged paths do not count', () => {
    expect(refused(BASE, { 'src/a.py': 'b', 'src/b.py': 'b', 'docs/husky.md': 'x' })).toEqual([]);
    expect(refused(BASE, {})).toEqual([]);
  });
});

describe('links cannot bypass it', () => {
  test.each([
    ['to a guarded file', { notes: '-> seatrial.toml' }, ['notes']],
    ['to one that does not exist yet', { notes: '-> .seatrial/task.toml' }, ['notes']],
    ['to one through another link', { a: '-> .husky', b: '-> a/pre-commit' }, ['a', 'b']],
    ['to one by an absolute path in the workspace', { notes: '-> /workspace/src/../seatrial.toml' }, ['notes']],
    ['to a directory that contains a guarded name', { pkg: '-> fixtures/evil' }, ['pkg']],
  ])('%s', (_what, change, paths) => {
    const base = { ...BASE, 'fixtures/evil/seatrial.toml': 's' };
    expect(refused(base, change)).toEqual(paths);
  });

  test.each([
    ['to product code', { a: '-> src/a.py', b: '-> src', c: '-> /workspace/src' }],
    ['to nothing, or circular', { a: '-> gone', b: '-> c', c: '-> b' }],
    ['to the parent directory', { 'src/up': '-> ..', 'src/here': '-> .' }],
  ])('other links are allowed: %s', (_what, change) => {
    expect(refused(BASE, change)).toEqual([]);
  });

  test('the target of a guarded link of the base is guarded too', () => {
    const base = {
      'conf/st': 's',
      'hooks.d/a': 'h',
      'seatrial.toml': '-> conf/st',
      '.husky': '-> hooks.d',
      'src/a': 'a',
    };
    expect(refused(base, { 'conf/st': 't', 'hooks.d/b': 'b', 'src/a': 'b' })).toEqual(['conf/st', 'hooks.d/b']);
    const hooks = { '.githooks/pre-commit': '-> ../scripts/check.sh', 'scripts/check.sh': 'c', 'scripts/b': 'b' };
    expect(refused(hooks, { 'scripts/check.sh': 'd', 'scripts/b': 'c' })).toEqual(['scripts/check.sh']);
  });
});

describe('a path that the configuration of the repository names', () => {
  const base = { 'tools/clean.sh': 'c', 'tools/other.sh': 'o', 'hooks/git/a': 'a' };

  test('is guarded in any spelling, a directory with everything below', () => {
    const change = { 'tools/clean.sh': 'd', 'tools/other.sh': 'p', 'hooks/git/b': 'b', 'Hooks/Git/c': 'c' };
    expect(refused(base, change, ['hooks/git/', 'tools/clean.sh'])).toEqual([
      'Hooks/Git/c',
      'hooks/git/b',
      'tools/clean.sh',
    ]);
  });

  test('is guarded before it exists, and behind links of the base', () => {
    expect(refused(base, { 'later/x': 'x' }, ['later/'])).toEqual(['later/x']);
    expect(refused({ ...base, bin: '-> tools' }, { 'tools/clean.sh': 'd' }, ['bin/clean.sh'])).toEqual([
      'tools/clean.sh',
    ]);
  });

  test('may have links to its parent directory', () => {
    expect(refused(base, { bin: '-> tools' }, ['tools/clean.sh'])).toEqual([]);
  });

  test('must not be redirected by a link above it', () => {
    expect(refused({ a: 'a' }, { later: '-> mine', 'mine/hooks/post-merge': 'x' }, ['later/hooks/'])).toEqual([
      'later',
    ]);
  });
});

describe('a directory that git treats as a repository', () => {
  const bare = { 'x/HEAD': 'ref', 'x/objects/a': 'a', 'x/refs/a': 'a' };
  test('must not be created, and its settings and hooks must not be changed', () => {
    expect(refused({}, { ...bare, 'x/config': 'c', 'x/hooks/post-merge': 'h' })).toEqual([
      'x/HEAD',
      'x/config',
      'x/hooks/post-merge',
    ]);
    expect(refused({}, { 'x/head': 'ref', 'x/commondir': '../.git' })).toEqual(['x/commondir', 'x/head']);
    expect(refused(bare, { 'x/config': 'c' })).toEqual(['x/config']);
  });
  test('may get new objects, and other directories may contain a HEAD', () => {
    expect(refused(bare, { 'x/objects/b': 'b', 'x/refs/a': 'b' })).toEqual([]);
    expect(refused({}, { 'src/HEAD': 'a', 'src/config': 'c', 'src/hooks/x': 'x' })).toEqual([]);
  });
});

describe('the hooks of a package.json', () => {
  const before = { 'package.json': '{"name":"x","husky":{"hooks":{}}}' };
  test('must not be changed, added or removed', () => {
    expect(refused(before, { 'package.json': '{"name":"x","husky":{"hooks":{"pre-commit":"x"}}}' })).toEqual([
      'package.json',
    ]);
    expect(refused(before, { 'package.json': '{"name":"x"}' })).toEqual(['package.json']);
    expect(refused(before, { 'package.json': null })).toEqual(['package.json']);
    expect(refused({}, { 'web/package.json': '\uFEFF{"simple-git-hooks":{"post-merge":"x"}}' })).toEqual([
      'web/package.json',
    ]);
    expect(refused({}, { 'package.json': '{"lint-staged":{},}' })).toEqual(['package.json']);
  });
  test('do not restrict changes to other keys', () => {
    expect(refused(before, { 'package.json': '{"version":"2","husky":{"hooks":{}}}' })).toEqual([]);
    expect(refused({}, { 'package.json': '{"devDependencies":{"husky":"9"}}' })).toEqual([]);
  });
});
