import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../kernel/digest.ts';
import { applyPatch } from './write.ts';
import { openOwnGit } from '../../task/git/own-git.ts';

let temp: string;
beforeEach(() => {
  temp = mkdtempSync(join(tmpdir(), 'seatrial-test-'));
  for (const dir of ['bundle/blobs', 'tree/folder', 'outside']) mkdirSync(join(temp, dir), { recursive: true });
  writeFileSync(join(temp, 'outside/treasure'), 'untouched');
});
afterEach(() => rmSync(temp, { recursive: true, force: true }));

/** Applies a bundle that somebody wrote by hand: one blob for this path, and a patch. */
function applyHandMade(path: string, patch = ''): Promise<void> {
  const content = Buffer.from('planted');
  writeFileSync(join(temp, 'bundle/blobs', sha256(content)), content);
  const index = [{ path, content: { mode: '100644', sha256: sha256(content) } }];
  writeFileSync(join(temp, 'bundle/blobs/index.json'), JSON.stringify(index));
  writeFileSync(join(temp, 'bundle/patch.diff'), patch);
  return applyPatch(join(temp, 'bundle'), join(temp, 'tree'), openOwnGit(join(temp, 'git')));
}

const treasure = (): string => readFileSync(join(temp, 'outside/treasure'), 'utf8');

describe('a hostile bundle writes nothing outside the tree', () => {
  it.each(['../outside/treasure', 'folder/../../outside/treasure', '/outside', '', '.', '.git/hooks/pre-commit'])(
    'a path such as %j is refused',
    async (path) => {
      await expect(applyHandMade(path)).rejects.toThrow('which is no path of a tree');
      expect(treasure()).toBe('untouched');
    },
  );

  it('a link above the path is not followed', async () => {
    symlinkSync('../outside', join(temp, 'tree/way-out'));
    await expect(applyHandMade('way-out/treasure')).rejects.toThrow('does not fit the tree');
    expect(treasure()).toBe('untouched');
  });

  it('a link that the patch created at the path itself is not written through', async () => {
    const link = `diff --git a/sly b/sly
new file mode 120000
--- /dev/null
+++ b/sly
@@ -0,0 +1 @@
+../outside/treasure
\\ No newline at end of file
`;
    await expect(applyHandMade('sly', link)).rejects.toThrow('EEXIST');
    expect(treasure()).toBe('untouched');
  });
});

it('a blob replaces a directory that contains only empty directories, and no other', async () => {
  mkdirSync(join(temp, 'tree/folder/empty/er'), { recursive: true });
  mkdirSync(join(temp, 'tree/kept'));
  await applyHandMade('folder');
  expect(readFileSync(join(temp, 'tree/folder'), 'utf8')).toBe('planted');
  expect(existsSync(join(temp, 'tree/kept'))).toBe(true);
});
