import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../kernel/digest.ts';
import { applyPatch } from './patch/write.ts';
import { openOwnGit } from '../task/git/own-git.ts';

let root: string;
let bundle: string;
let tree: string;
let outside: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seatrial-hostile-bundle-'));
  [bundle, tree, outside] = [join(root, 'bundle'), join(root, 'deep/tree'), join(root, 'outside')];
  for (const dir of [bundle, tree, outside, join(bundle, 'blobs')]) mkdirSync(dir, { recursive: true });
  symlinkSync(outside, join(tree, 'out'));
  writeFileSync(join(outside, 'theirs'), 'untouched\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const apply = (patch: string): Promise<void> => {
  writeFileSync(join(bundle, 'patch.diff'), patch);
  return applyPatch(bundle, tree, openOwnGit(join(root, 'git')));
};
const creating = (path: string, mode: string, line: string): string =>
  `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;

/** Whatever is said to it: nothing appears beside the tree, and nothing there changes. */
function expectNothingOutside(): void {
  expect(readdirSync(root).toSorted()).toEqual(['bundle', 'deep', 'git', 'outside']);
  expect(readdirSync(join(root, 'deep'))).toEqual(['tree']);
  expect(readdirSync(outside)).toEqual(['theirs']);
  expect(existsSync(join(tree, '.git'))).toBe(false);
}

describe('a bundle that was made to write elsewhere', () => {
  it.each([
    ['a path upwards', creating('../../escaped', '100644', 'x')],
    ['a whole path', creating('/tmp/seatrial-escaped', '100644', 'x')],
    ['a link of the base', creating('out/escaped', '100644', 'x')],
    ['a repository', creating('.git/config', '100644', '[core]')],
    ['a link of its own', creating('mine', '120000', '../../outside') + creating('mine/escaped', '100644', 'x')],
    [
      'the removal of a file behind a link',
      'diff --git a/out/theirs b/out/theirs\ndeleted file mode 100644\n--- a/out/theirs\n+++ /dev/null\n@@ -1 +0,0 @@\n-untouched\n',
    ],
  ])('by a patch with %s', async (_name, patch) => {
    await expect(apply(patch)).rejects.toBeInstanceOf(Error);
    expectNothingOutside();
  });

  it.each([
    '../escaped',
    '../../escaped',
    '/tmp/seatrial-escaped',
    'out/escaped',
    '.git/config',
    'a/../../escaped',
    '.',
    '',
  ])('by a large file at %j', async (path) => {
    writeFileSync(join(bundle, 'blobs', sha256('x')), 'x');
    writeFileSync(
      join(bundle, 'blobs/index.json'),
      JSON.stringify([{ path, content: { mode: '100644', sha256: sha256('x') } }]),
    );
    await expect(apply('')).rejects.toBeInstanceOf(Error);
    expectNothingOutside();
  });

  it('by the removal of a large file behind a link', async () => {
    writeFileSync(join(bundle, 'blobs/index.json'), JSON.stringify([{ path: 'out/theirs', content: null }]));
    await expect(apply('')).resolves.toBeUndefined();
    expectNothingOutside();
  });
});
