import { describe, expect, it, test } from 'vitest';
import { planSetup, provisionKey } from './plan.ts';
import { programsNamed } from './tools.ts';

const LOCK = '{"packages": {"node_modules/x": {}}}';
const filesOf = (files: Record<string, string>) => ({
  paths: Object.keys(files),
  read: (path: string) => files[path] ?? null,
});

/** The key of a setup in a tree with these files. */
function keyOf(files: Record<string, string>, command = 'npm ci', platform = 'linux x64', version = '11'): string {
  return provisionKey({
    plan: planSetup(command, filesOf(files)),
    digestOf: (path) => files[path] ?? null,
    baseSha256: JSON.stringify(files),
    tools: [{ name: 'npm', path: '/usr/bin/npm', version, sha256: 'a' }],
    platform,
    variables: {},
  });
}

describe('the cache key of a setup', () => {
  const files = { 'package.json': '{}', 'package-lock.json': LOCK, 'src/a.js': 'a' };
  const key = keyOf(files);

  it.each([
    ['the lockfile', keyOf({ ...files, 'package-lock.json': `${LOCK} ` })],
    ['a package file', keyOf({ ...files, 'packages/a/package.json': '{}' })],
    ['a second lockfile, which npm prefers', keyOf({ ...files, 'npm-shrinkwrap.json': LOCK })],
    ['the lockfile of a workspace', keyOf({ ...files, 'packages/a/package-lock.json': LOCK })],
    ['settings of the package manager', keyOf({ ...files, '.npmrc': 'legacy-peer-deps=true' })],
    ['the command', keyOf(files, 'npm install')],
    ['the machine', keyOf(files, 'npm ci', 'linux arm64')],
    ['the package manager', keyOf(files, 'npm ci', 'linux x64', '12')],
  ])('changes with %s', (_what, other) => {
    expect(other).not.toBe(key);
  });

  it('ignores unrelated files of the tree', () => {
    expect(keyOf({ ...files, 'src/a.js': 'b', 'README.md': '' })).toBe(key);
  });

  it.each(['file:vendor/own', 'link:./vendor/own', './vendor/own', 'portal:vendor/own'])(
    'changes with the files of a package at %s',
    (spec) => {
      const own = { ...files, 'package.json': JSON.stringify({ dependencies: { own: spec } }), 'vendor/own/a.js': 'a' };
      const local = keyOf(own);
      expect(keyOf({ ...own, 'vendor/own/a.js': 'b' })).not.toBe(local);
      expect(keyOf({ ...own, 'vendor/other.js': '' })).toBe(local);
    },
  );

  it.each([
    'npm install --no-audit',
    'python3 -m venv .venv && .venv/bin/pip install -r requirements-dev.txt pytest',
    'pip install pytest<9 requests[socks]',
  ])('of a command that only calls package managers ignores unrelated files: %s', (command) => {
    const own = { ...files, 'requirements-dev.txt': 'x' };
    const local = keyOf(own, command);
    expect(keyOf({ ...own, 'README.md': 'b', 'src/a.js': 'b' }, command)).toBe(local);
    expect(keyOf({ ...own, 'requirements-dev.txt': 'y', 'package.json': '{"a": 1}' }, command)).not.toBe(local);
  });

  it.each(['pip install -e .', 'npm ci && npm run build', 'pip install .[dev]', 'npm ci; sh install.sh'])(
    'of a command that may read any file changes with any: %s',
    (command) => {
      expect(keyOf({ ...files, 'src/a.js': 'b' }, command)).not.toBe(keyOf(files, command));
    },
  );

  it('changes with any file if packages of the tree have install scripts', () => {
    const own = { ...files, 'package.json': '{"scripts": {"prepare": "node build.js"}}' };
    expect(keyOf(own)).not.toBe(keyOf({ ...own, 'build.js': '' }));
  });

  it('changes with any file for a command other than the default for the lockfile', () => {
    expect(keyOf(files, 'make')).not.toBe(keyOf({ ...files, 'README.md': '' }, 'make'));
  });

  it('changes with any file if requirements refer to files', () => {
    const pip = (line: string, extra: Record<string, string> = {}): string =>
      keyOf(
        { 'requirements.txt': line, ...extra },
        'python3 -m venv .venv && .venv/bin/python -m pip install -r requirements.txt',
      );
    for (const line of ['-e .', './a.whl', 'a @ file:///workspace/a', 'a.whl']) {
      expect([line, pip(line) === pip(line, { 'a.txt': '' })]).toEqual([line, false]);
    }
    expect(pip('words==1.0')).toBe(pip('words==1.0', { 'a.txt': '' }));
    const lists = { 'more/base.txt': '-c limits.txt\nx', 'more/limits.txt': 'x<2' };
    const withLists = pip('-r more/base.txt', lists);
    expect(pip('-r more/base.txt', { ...lists, 'a.txt': '' })).toBe(withLists);
    expect(pip('-r more/base.txt', { ...lists, 'more/limits.txt': 'x<3' })).not.toBe(withLists);
  });
});

test.each([
  ['npm ci && npx tsc', ['npm', 'npx', 'node']],
  ['(cd web; yarn); make deps', ['yarn', 'make', 'node']],
  ['echo "going"', []],
  ['go mod vendor', ['go']],
])('finds the programs named in: %s', (command, programs) => {
  expect(programsNamed(command).toSorted()).toEqual(programs.toSorted());
});
