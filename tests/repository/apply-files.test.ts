import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeBelow } from '../support/seatrial.ts';
import { FIX, Project } from '../support/project.ts';
import { someOf } from '../../src/kernel/some-of.fixture.ts';

let project: Project;
let runId: string;
let base: string;

/** Files of every kind that a checkout treats in a way of its own, before and after. */
const ATTRIBUTES = [
  '*.bat text eol=crlf',
  '*.txt text=auto',
  '*.bin binary',
  '*.id ident',
  '*.utf16 text working-tree-encoding=UTF-16LE-BOM eol=crlf',
  '*.lfs filter=store -text',
  '',
].join('\n');

const PATCH = `
${FIX}
for file in run.bat notes.txt raw.bin version.id wide.utf16 model.lfs; do printf 'one\\ntwo $Id$\\n' > $file; done
printf '#!/bin/sh\\n' > tool; chmod 755 tool
chmod 644 script.sh
ln -sfn notes.txt link
rm -r old
rm file-then-folder; mkdir file-then-folder; echo inside > file-then-folder/inside
rm -r folder-then-file; echo file > folder-then-file
mkdir -p 'a folder'
printf 'odd\\n' > 'a folder/[odd] *?.bat'
printf 'odd\\n' > "$(printf 'tab\\there.bat')"
printf 'odd\\n' > 'ü "quoted" back\\slash.bat'
printf 'new\\n' > new.sh
echo '*.sh text eol=crlf working-tree-encoding=UTF-16' >> .gitattributes
head -c 5000000 /dev/zero | tr '\\0' 'x' > large.bin
`;

beforeAll(async () => {
  project = new Project();
  const files = ['run.bat', 'notes.txt', 'raw.bin', 'version.id', 'model.lfs'].map((name) => [name, 'one\n'] as const);
  writeBelow(project.repo, { ...Object.fromEntries(files), '.gitattributes': ATTRIBUTES });
  writeFileSync(join(project.repo, 'wide.utf16'), Buffer.from('\ufeffone\r\n', 'utf16le'));
  writeBelow(project.repo, {
    'script.sh': '#!/bin/sh\n',
    'old/deep/file': 'old\n',
    'file-then-folder': 'file\n',
    'folder-then-file/inside': 'inside\n',
    'kept/file': 'kept\n',
  });
  chmodSync(join(project.repo, 'script.sh'), 0o755);
  symlinkSync('raw.bin', join(project.repo, 'link'));
  base = project.commit({}, 'files of all kinds');
  // As a clone would have it.
  project.git('rm', '-r', '--quiet', '--cached', '.');
  project.git('reset', '--quiet', '--hard');
  expect(project.git('status', '--porcelain')).toBe('');
  const { report } = await project.ask(PATCH);
  expect(report.status, report.blockers.join()).toBe('pass');
  runId = report.run_id;
});
afterAll(() => project.remove());

/** Path, kind, mode and content of every file, with those that no git would show. */
function filesOf(dir: string): Record<string, string> {
  const listed = readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((name) => name !== '.git' && !name.startsWith('.git/'))
    .toSorted();
  return Object.fromEntries(
    listed.map((name) => {
      const path = join(dir, name);
      const stats = lstatSync(path);
      if (stats.isSymbolicLink()) return [name, `-> ${readlinkSync(path)}`];
      if (stats.isDirectory()) return [name, 'folder'];
      return [name, `${(stats.mode & 0o111).toString(8)} ${readFileSync(path).toString('latin1')}`];
    }),
  );
}

/** Git's own way, for comparison: the same commit, checked out over the same files. */
function byGit(copy: string, commit: string): string {
  const other = `${copy} by git`;
  execFileSync('cp', ['-a', copy, other]);
  project.gitIn(other, 'reset', '--quiet', '--hard', base);
  project.gitIn(other, 'merge', '--quiet', '--ff-only', commit);
  return other;
}

/** As after any change of a file's time: git has to compare contents. */
function isClean(dir: string): boolean {
  for (const name of project.gitIn(dir, 'ls-files', '-z').split('\0').filter(Boolean)) {
    const path = join(dir, name);
    if (existsSync(path) && lstatSync(path).isFile()) utimesSync(path, new Date(), new Date());
  }
  return project.gitIn(dir, 'status', '--porcelain') === '';
}

describe('files are written as git would write them', () => {
  const SETTINGS: readonly (readonly [string, readonly (readonly string[])[]])[] = [
    ['with nothing set', []],
    ['with core.autocrlf', [['config', 'core.autocrlf', 'true']]],
    ['with core.eol', [['config', 'core.eol', 'crlf']]],
    [
      'with a split index',
      [
        ['config', 'core.splitIndex', 'true'],
        ['update-index', '--split-index'],
      ],
    ],
    ['with an index of version 4', [['update-index', '--index-version', '4']]],
    ['with an untracked cache', [['update-index', '--force-untracked-cache']]],
    ['with a packed repository', [['gc', '--quiet']]],
    ['with attributes outside of the tree', [['config', 'core.attributesFile', '.git/attributes']]],
  ];
  test.each(someOf(SETTINGS))('%s', async (name, commands) => {
    const copy = project.copy(name);
    writeFileSync(join(copy, '.git/attributes'), '*.py text eol=crlf\n');
    writeFileSync(join(copy, '.git/info/attributes'), 'tool text eol=crlf\n');
    for (const command of commands) project.gitIn(copy, ...command);
    const ended = await project.apply(runId, ['--repo', copy]);
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(project.gitIn(copy, 'status', '--porcelain')).toBe('');
    const [written, expected] = [filesOf(copy), filesOf(byGit(copy, project.gitIn(copy, 'rev-parse', 'HEAD')))];
    expect(Object.keys(written)).toEqual(Object.keys(expected));
    const changed = project.gitIn(copy, 'diff-tree', '-r', '-z', '--name-only', '--no-commit-id', 'HEAD').split('\0');
    const asJudged = new Set(['new.sh', 'script.sh']);
    for (const path of changed.filter((one) => one in written && !asJudged.has(one)))
      expect([path, written[path]]).toEqual([path, expected[path]]);
    // What the patch says of files in its attributes takes no effect while it is applied.
    expect(expected['new.sh']).toContain('\0');
    expect(written).toMatchObject({
      'new.sh': expect.stringMatching(/^0 new\r?\n$/),
      'script.sh': expect.stringMatching(/^0 #!\/bin\/sh\r?\n$/),
    });
    project.gitIn(copy, 'fsck', '--strict');
  });

  test('and are clean even when their contents are looked at', async () => {
    const copy = project.copy('clean');
    expect(await project.apply(runId, ['--repo', copy, '--branch', 'fix'])).toMatchObject({ code: 0 });
    project.gitIn(copy, 'checkout', '--quiet', 'HEAD', '--', 'new.sh', 'script.sh');
    rmSync(join(copy, 'new.sh'));
    rmSync(join(copy, 'script.sh'));
    project.gitIn(copy, 'checkout', '--quiet', '--', 'new.sh', 'script.sh');
    expect(isClean(copy)).toBe(true);
  });

  test('a sparse work tree stays sparse', async () => {
    const copy = project.copy('sparse');
    project.gitIn(copy, 'status');
    project.gitIn(copy, 'sparse-checkout', 'set', '--cone', 'kept');
    project.gitIn(copy, 'sparse-checkout', 'reapply', '--sparse-index');
    expect(existsSync(join(copy, 'folder-then-file'))).toBe(false);
    expect(await project.apply(runId, ['--repo', copy])).toMatchObject({ code: 0 });
    expect(project.gitIn(copy, 'status', '--porcelain')).toBe('');
    expect(existsSync(join(copy, 'file-then-folder/inside'))).toBe(false);
    expect(readFileSync(join(copy, 'sum.py'), 'utf8')).toContain('return sum(numbers)');
    project.gitIn(copy, 'sparse-checkout', 'disable');
    expect(readFileSync(join(copy, 'file-then-folder/inside'), 'utf8')).toBe('inside\n');
  });

  test('a file under a filter is left as git stores it, which is said', async () => {
    const copy = project.copy('filtered');
    project.gitIn(copy, 'config', 'filter.store.smudge', 'tr a-z A-Z');
    project.gitIn(copy, 'config', 'filter.store.clean', 'tr A-Z a-z');
    rmSync(join(copy, 'model.lfs'));
    project.gitIn(copy, 'checkout', '--quiet', '--', 'model.lfs');
    expect(readFileSync(join(copy, 'model.lfs'), 'utf8')).toBe('ONE\n');
    utimesSync(join(copy, 'model.lfs'), 1, 1);
    const unsure = await project.apply(runId, ['--repo', copy]);
    expect(unsure).toMatchObject({ code: 2 });
    expect(unsure.stderr).toContain('may have uncommitted changes in what the patch touches (model.lfs)');
    expect(project.gitIn(copy, 'status', '--porcelain')).toBe('');
    const ended = await project.apply(runId, ['--repo', copy]);
    expect(ended).toMatchObject({ code: 0 });
    expect(ended.stderr).toMatch(/^note: apply does not run the git filter "store", so model\.lfs lies .*\n$/);
    expect(readFileSync(join(copy, 'model.lfs'), 'utf8')).toBe('one\ntwo $Id$\n');
    rmSync(join(copy, 'model.lfs'));
    project.gitIn(copy, 'checkout', '--quiet', '--', 'model.lfs');
    expect(readFileSync(join(copy, 'model.lfs'), 'utf8')).toBe('ONE\nTWO $ID$\n');
  });
});

describe('links in the work tree lead nowhere', () => {
  let outside: string;
  beforeAll(() => {
    outside = join(project.root, 'outside');
    mkdirSync(outside);
  });

  test.each([
    ['an untracked link in the place of a new folder', 'a folder', []],
    ['an ignored one', 'a folder', ['a folder']],
    ['a link in the place of a tracked folder', 'old', []],
    ['a link in the place of a tracked file', 'sum.py', []],
    ['a link in the place of a new file', 'tool', []],
  ])('%s', async (name, place, ignored) => {
    const copy = project.copy(name);
    writeFileSync(join(copy, '.git/info/exclude'), ignored.join('\n'));
    rmSync(join(copy, place), { recursive: true, force: true });
    symlinkSync(place === 'sum.py' || place === 'tool' ? join(outside, 'file') : outside, join(copy, place));
    for (const args of [[], ['--branch', 'fix']]) {
      const ended = await project.apply(runId, ['--repo', copy, ...args]);
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(place);
    }
    expect(lstatSync(join(copy, place)).isSymbolicLink()).toBe(true);
    expect(readdirSync(outside)).toEqual([]);
    expect(project.gitIn(copy, 'rev-parse', 'HEAD')).toBe(base);
  });
});
