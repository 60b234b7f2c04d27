import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { walkTree } from '../tree/walk.ts';
import { sweepIgnored } from './ignored.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ignored-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const lay = (name: string, files: Readonly<Record<string, string>>): string => {
  const dir = join(root, name);
  mkdirSync(dir, { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
};

async function sweep(base: Readonly<Record<string, string>>, left: Readonly<Record<string, string>>) {
  const baseDir = lay('base', base);
  const leftDir = lay('left', { ...base, ...left });
  const before = walkTree(baseDir);
  const swept = await sweepIgnored(walkTree(leftDir), {
    before,
    base: before,
    baseDir,
    scratch: join(root, 'scratch'),
  });
  const kept = [...swept.tree.entries.values()].filter(({ kind }) => kind !== 'dir').map(({ path }) => path.toString());
  return { kept, ignored: swept.ignored };
}

test('files that the base ignores are set aside, a whole directory as one entry', async () => {
  const base = { '.gitignore': '__pycache__/\n*.log\n!keep.log\n', 'src/a.py': 'a', 'src/.gitignore': '/out\n' };
  const left = {
    'src/__pycache__/a.pyc': 'x',
    'src/__pycache__/b/c.pyc': 'x',
    'src/out': 'x',
    out: 'x',
    'run.log': 'x',
    'keep.log': 'x',
  };
  const { kept, ignored } = await sweep(base, left);
  expect(kept).toEqual(['.gitignore', 'keep.log', 'out', 'src/.gitignore', 'src/a.py']);
  expect(ignored).toEqual(['run.log', 'src/__pycache__/', 'src/out']);
});

test('rules that the engine added have no effect', async () => {
  const { kept, ignored } = await sweep(
    { '.gitignore': '' },
    { '.gitignore': '*\n', 'sub/.gitignore': '*\n', new: 'x' },
  );
  expect(kept).toEqual(['.gitignore', 'new', 'sub/.gitignore']);
  expect(ignored).toEqual([]);
});

test('files of the base are never ignored', async () => {
  const { kept } = await sweep({ '.gitignore': 'data\n', data: 'old' }, { data: 'new' });
  expect(kept).toEqual(['.gitignore', 'data']);
});

test('names that look like patterns or options are treated as names', async () => {
  const names = { ':(top)x': 'x', '-v': 'x', '*': 'x', 'a\nb': 'x', ':!cache': 'x' };
  const { kept, ignored } = await sweep({ '.gitignore': '/cache\n' }, { ...names, cache: 'x' });
  expect(kept.toSorted()).toEqual(['.gitignore', ...Object.keys(names)].toSorted());
  expect(ignored).toEqual(['cache']);
});

test('a link in place of a directory with rules is not followed', async () => {
  const base = { '.gitignore': 'cache/\n', 'sub/.gitignore': 'x\n' };
  const baseDir = lay('base', base);
  const leftDir = lay('left', { '.gitignore': 'cache/\n', 'cache/env': 'x' });
  symlinkSync('/etc', join(leftDir, 'sub'));
  symlinkSync('/usr/bin/env', join(leftDir, 'cache/link'));
  const before = walkTree(baseDir);
  const { tree } = await sweepIgnored(walkTree(leftDir), {
    before,
    base: before,
    baseDir,
    scratch: join(root, 'scratch'),
  });
  expect(tree.faults.map(({ reason }) => reason.text)).toEqual(['link out of the tree: sub -> /etc']);
});
