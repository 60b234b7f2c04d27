import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { copyCommit, openCommit } from '../../task/git/copy-commit.ts';
import { layChanges } from '../../task/git/lay-changes.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { layGivenFiles } from './given-change.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'given-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** Files and links by their paths: `link` is a link. A path below another one is left out. */
type Files = Readonly<Record<string, string>>;

function commitFiles(repo: string, files: Files): void {
  const git = (...args: string[]): Buffer =>
    execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args], { cwd: repo });
  for (const path of git('ls-files', '-z').toString().split('\0'))
    if (path !== '') rmSync(join(repo, path), { force: true });
  for (const name of ['a', 'b']) rmSync(join(repo, name), { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(repo, path)), { recursive: true });
    if (text === 'link') symlinkSync('/etc', join(repo, path));
    else writeFileSync(join(repo, path), text, { mode: text === 'program' ? 0o755 : 0o644 });
  }
  git('add', '--all', '--force');
  git('commit', '--quiet', '--allow-empty', '--message', 'files');
}

/** Few names at few depths, so that files take the places of directories and the other way round. */
const files = fc
  .dictionary(
    fc.constantFrom('a', 'a/a', 'a/b', 'a/b/a', 'b', 'b/passwd', 'b/.gitattributes'),
    fc.constantFrom('one\n', 'two\r\n', 'program', 'link', '* export-ignore text\n'),
  )
  .map((found) => {
    const paths = Object.keys(found);
    return Object.fromEntries(
      Object.entries(found).filter(([path]) => !paths.some((other) => path.startsWith(`${other}/`))),
    );
  });

test('a commit is laid over any other one as its own files are, whatever kinds of entries they have', async () => {
  let tried = 0;
  await fc.assert(
    fc.asyncProperty(files, files, async (before, after) => {
      const dir = join(root, String((tried += 1)));
      const repo = join(dir, 'repo');
      execFileSync('git', ['init', '--quiet', repo]);
      commitFiles(repo, before);
      commitFiles(repo, after);
      const at = (name: string): string => join(dir, name);
      const base = await copyCommit({ repo, name: 'HEAD~1', gitDir: at('git-1'), target: at('laid') });
      await copyCommit({ repo, name: 'HEAD', gitDir: at('git-2'), target: at('wanted') });
      const commit = await openCommit({ repo, name: 'HEAD', gitDir: at('git-3') });
      const changes = await layChanges(
        { gitDir: at('git-3') },
        { before: base, after: commit },
        at('given'),
        at('git-3'),
      );
      layGivenFiles(at('laid'), { kind: 'files', dir: at('given'), changes });
      expect(compareTrees(walkTree(at('wanted')), walkTree(at('laid')))).toEqual([]);
    }),
    { numRuns: 10 },
  );
}, 60_000);
