import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { checkNode } from './check-node.ts';
import { settlePython } from './check-python.ts';
import { commandToInstall, pythonCommand } from './commands.ts';
import { lockOfInstalled } from './installed-lock.ts';
import { distributionsIn, requirementLists } from './python-lists.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'seatrial-changed-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}

test.each([
  ['package-lock.json', '', true, 'npm ci --ignore-scripts'],
  ['package-lock.json', '', false, 'npm install --ignore-scripts --no-save'],
  ['pnpm-lock.yaml', '', true, 'pnpm install --frozen-lockfile --ignore-scripts --ignore-pnpmfile'],
  ['yarn.lock', '', true, 'yarn install --frozen-lockfile --ignore-scripts'],
  ['yarn.lock', '__metadata:\n', true, 'yarn install --immutable --mode=skip-build'],
  ['Cargo.lock', '', true, 'cargo fetch --locked'],
  ['go.sum', '', false, 'go mod download'],
  ['composer.lock', '', true, null],
])('%s is installed without scripts', (lockfile, text, isComplete, expected) => {
  expect(commandToInstall({ lockfile, text, isComplete })).toBe(expected);
});

describe('a lockfile made from what npm installed', () => {
  const packages = {
    'node_modules/wanted': { version: '1.2.3', resolved: 'https://packages.example/wanted.tgz' },
    'node_modules/@a/runner': { version: '5.0.0', dependencies: { inner: '^1.0.0' } },
    'node_modules/inner': { version: '1.0.0' },
    'node_modules/@a/runner/node_modules/deep': { version: '2.0.0' },
  };

  it('pins every package, names those that nothing asks for, and leaves out what was not installed', () => {
    const lock = lockOfInstalled(
      JSON.stringify({ name: 'x', lockfileVersion: 3, packages }),
      JSON.stringify({
        name: 'x',
        devDependencies: { wanted: '^1.0.0', inner: 'npm:other@1', 'left-out': '1.0.0', fresh: '^2.0.0' },
      }),
      ['fresh'],
    );
    expect(JSON.parse(lock?.text ?? '')).toEqual({ lockfileVersion: 3, requires: true, packages });
    expect(JSON.parse(lock?.about ?? '')).toEqual({
      name: 'x',
      devDependencies: { wanted: '1.2.3', inner: 'npm:other@1', fresh: '^2.0.0' },
    });
    expect(lock?.unlisted).toEqual(['@a/runner@5.0.0']);
  });

  it.each(['', '[]', '{"lockfileVersion":3}'])('is not made from %j', (list) => {
    expect(lockOfInstalled(list, '{}', [])).toBeNull();
  });
});

test('Python packages are installed as wheels only', () => {
  expect(pythonCommand('.venv').match(/--only-binary :all:/g)).toHaveLength(2);
});

describe('a node_modules for a change', () => {
  const install = (root: string, name: string, version: string, more: object = {}): void =>
    write(`${root}/${name}/package.json`, JSON.stringify({ name, version, ...more }));

  it('may hold packages whose script the base has run already, and no other that needs one', () => {
    install('base', 'old', '1.0.0', { scripts: { install: 'x' } });
    install('new', 'old', '1.0.0', { scripts: { install: 'x' } });
    install('new', '@a/plain', '1.0.0', { scripts: { test: 'x' } });
    expect(checkNode(join(dir, 'base'), join(dir, 'new'))).toEqual([]);
    install('new', 'plain/node_modules/needy', '1.0.0', { scripts: { postinstall: 'x' } });
    install('new', 'plain', '1.0.0');
    write('new/native/binding.gyp', '');
    install('new', 'native', '1.0.0');
    expect(checkNode(join(dir, 'base'), join(dir, 'new')).toSorted()).toEqual([
      'native needs its install script, which is not run for a change',
      'plain/node_modules/needy needs its install script, which is not run for a change',
    ]);
  });

  it('may bring programs in newer versions, and none under the name of another package’s', () => {
    for (const [root, target] of [
      ['base', '../vitest/vitest.mjs'],
      ['new', '../vitest/bin/vitest.mjs'],
    ] as const) {
      mkdirSync(join(dir, root, '.bin'), { recursive: true });
      symlinkSync(target, join(dir, root, '.bin/vitest'));
    }
    expect(checkNode(join(dir, 'base'), join(dir, 'new'))).toEqual([]);
    rmSync(join(dir, 'new/.bin/vitest'));
    symlinkSync('../evil/run.js', join(dir, 'new/.bin/vitest'));
    expect(checkNode(join(dir, 'base'), join(dir, 'new'))).toEqual([
      'a package of the change replaces the program vitest',
    ]);
  });
});

describe('a virtual environment for a change', () => {
  const site = (root: string): string => `${root}/lib/python3.11/site-packages`;
  function install(root: string, name: string, files: Record<string, string>, more: Record<string, string> = {}): void {
    const about = `${name}-1.0.dist-info`;
    const all = {
      ...files,
      ...Object.fromEntries(Object.entries(more).map(([file, text]) => [`${about}/${file}`, text])),
    };
    for (const [path, text] of Object.entries(all)) write(`${site(root)}/${path}`, text);
    write(
      `${site(root)}/${about}/RECORD`,
      Object.keys(all)
        .map((path) => `${path},sha256=x,1\n`)
        .join(''),
    );
  }
  const settle = (): readonly string[] => settlePython(join(dir, 'base'), join(dir, 'new'));

  it('keeps the versions of the base but for what the change needs', () => {
    install('base', 'pytest', { 'pytest.py': '' });
    install('base', 'Old_Name', { 'old.py': '' });
    install('base', 'own', {}, { 'direct_url.json': '{"dir_info": {"editable": true}, "url": "file:///workspace"}' });
    const lists = requirementLists(distributionsIn(join(dir, site('base'))), {
      named: [],
      wanted: [],
      dropped: [],
      lockfiles: new Map(),
      origins: [],
      pipOptions: ['--index-url https://packages.example/simple'],
      python: [
        { name: 'old-name', spec: 'old-name>=2' },
        { name: 'gone', spec: null },
      ],
      isPythonTool: (name) => name === 'pytest',
    });
    expect(lists).toEqual({
      'wanted.txt': '--index-url https://packages.example/simple\npytest\nold-name>=2\n',
      'frozen.txt': 'pytest==1.0\n',
      'tools.txt': 'pytest==1.0\n',
    });
  });

  it('loads no plugin of a new package, and has the package of the tree itself', () => {
    const plugin = { 'entry_points.txt': '[console_scripts]\na = b\n\n[pytest11]\nx = y\nz = w\n' };
    install('base', 'known', {}, plugin);
    install('base', 'own', { 'own.pth': '/workspace/src\n' }, { 'direct_url.json': '{"dir_info": {}}' });
    install('new', 'known', {}, plugin);
    install('new', 'fresh', { 'fresh.py': '' }, plugin);
    expect(settle()).toEqual([]);
    const points = (name: string): string =>
      readFileSync(join(dir, site('new'), `${name}-1.0.dist-info/entry_points.txt`), 'utf8');
    expect(points('fresh')).toBe('[console_scripts]\na = b\n\n');
    expect(points('known')).toContain('[pytest11]');
    expect(readFileSync(join(dir, site('new'), 'own.pth'), 'utf8')).toBe('/workspace/src\n');
  });

  it('is refused where a new package runs at every start, or replaces files of another', () => {
    install('base', 'pytest', { 'pytest.py': 'real\n' });
    install('new', 'pytest', { 'pytest.py': 'fake\n' });
    install('new', 'early', { 'early.pth': 'import os\n' });
    chmodSync(join(dir, site('new')), 0o755);
    expect(settle()).toEqual([
      'early runs code whenever Python starts (early.pth)',
      'a package of the change replaces pytest.py of pytest',
    ]);
  });
});
