import { expect, test } from 'vitest';
import type { Tree, TreeEntry } from '../../task/tree/walk.ts';
import { classifySetupOutput } from './harvest.ts';

/** Directories end in a slash; the text of a file stands for its digest. */
function tree(files: Record<string, string>): Tree {
  const entries = Object.entries(files).map(([name, sha256]): [string, TreeEntry] => {
    const path = Buffer.from(name.replace(/\/$/, ''), 'latin1');
    const entry: TreeEntry = name.endsWith('/')
      ? { kind: 'dir', path, ctimeMs: 0 }
      : { kind: 'file', path, sha256, bytes: 1, executable: false, ctimeMs: 0 };
    return [path.toString('latin1'), entry];
  });
  return { entries: new Map(entries), faults: [] };
}

test('dependency directories are separated from other new files, at any depth', () => {
  const base = { 'a.js': '1', 'packages/': '', 'packages/web/': '', 'packages/web/b.js': '2' };
  const made = classifySetupOutput(
    tree(base),
    tree({
      ...base,
      'node_modules/': '',
      'node_modules/x/': '',
      'node_modules/x/node_modules/': '',
      'node_modules/x/node_modules/y.js': '3',
      'packages/web/node_modules/': '',
      'packages/web/node_modules/z.js': '4',
      'dist/': '',
      'dist/a.js': '5',
      'packages/web/made.js': '6',
    }),
  );
  expect(made.dirty).toEqual([]);
  expect(made.dirs).toEqual(['node_modules', 'packages/web/node_modules']);
  expect(made.files.map(String)).toEqual(['dist/a.js', 'packages/web/made.js']);
});

test('a dependency directory of the base is not a product of the setup', () => {
  const base = { 'vendor/': '', 'vendor/a.go': '1' };
  const made = classifySetupOutput(tree(base), tree({ ...base, 'vendor/b.go': '2' }));
  expect([made.dirs, made.files.map(String)]).toEqual([[], ['vendor/b.go']]);
});

test('changed and removed files of the tree make it dirty', () => {
  expect(classifySetupOutput(tree({ a: '1', b: '2', c: '3' }), tree({ a: '1', b: 'x' })).dirty).toEqual(['b', 'c']);
});

test('a directory whose name is not valid UTF-8 is copied, since it cannot be a mount target', () => {
  const made = classifySetupOutput(
    tree({}),
    tree({ '\xff/': '', '\xff/node_modules/': '', '\xff/node_modules/x': '1' }),
  );
  expect([made.dirs, made.files.length]).toEqual([[], 1]);
});
