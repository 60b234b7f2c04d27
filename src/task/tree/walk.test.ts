import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { reason } from '../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../evidence/reasons/reason.ts';
import { shareTree } from './copy.ts';
import { digestEntries } from './digest.ts';
import { walkTree } from './walk.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'tree-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const faults = (): readonly Reason[] =>
  walkTree(dir, { seenAs: '/workspace', skipTopGit: true }).faults.map((fault) => fault.reason);

test('files, links and directories are read with their bytes, modes and names', () => {
  mkdirSync(join(dir, 'src'));
  writeFileSync(join(dir, 'src', 'run me.sh'), 'echo');
  chmodSync(join(dir, 'src', 'run me.sh'), 0o755);
  symlinkSync('run me.sh', join(dir, 'src', 'link'));
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0x0a])]), '');
  const { entries, faults: none } = walkTree(dir);
  expect(none).toEqual([]);
  expect([...entries.values()].map((entry) => [entry.kind, entry.path.toString('latin1')])).toEqual([
    ['dir', 'src'],
    ['link', 'src/link'],
    ['file', 'src/run me.sh'],
    ['file', '\u00ff\n'],
  ]);
  expect(entries.get('src/run me.sh')).toMatchObject({ executable: true, bytes: 4 });
});

test('forbidden entries are reported', () => {
  execFileSync('mkfifo', [join(dir, 'pipe')]);
  mkdirSync(join(dir, 'vendor', '.git'), { recursive: true });
  mkdirSync(join(dir, '.git'));
  expect(faults()).toEqual([
    reason('pipe_in_tree', { path: 'pipe' }),
    reason('nested_repository', { path: 'vendor/.git' }),
  ]);
});

test.each([
  ['/etc/passwd', true],
  ['../outside', true],
  ['sub/../../outside', true],
  ['hop/../../../outside', true],
  ['hop/../../inside', false],
  ['/workspace/../etc', true],
  ['/workspacex/file', true],
  ['loop', true],
  ['sub/file', false],
  ['/workspace/sub/file', false],
  ['hop/file', false],
  ['not/there/yet', false],
])('a link to %s leads out: %s', (target, out) => {
  mkdirSync(join(dir, 'sub', 'deep'), { recursive: true });
  symlinkSync('sub/deep', join(dir, 'hop'));
  symlinkSync(target, join(dir, 'loop'));
  expect(faults().some(({ code, text }) => code === 'link_out' && text.includes(' loop -> '))).toBe(out);
});

test('a tree is read only up to the byte limit, holes included', () => {
  truncateSync(emptyFile('hole'), 1_000_000);
  writeFileSync(join(dir, 'small'), 'x');
  expect(walkTree(dir, { maxBytes: 1_000_001 }).faults).toEqual([]);
  expect(walkTree(dir, { maxBytes: 1_000_000 }).faults).toMatchObject([
    { reason: reason('tree_too_large', { n: 1_000_000 }) },
  ]);
});

test('a tree with too many entries is not read completely', () => {
  mkdirSync(join(dir, 'sub'));
  for (const name of ['a', 'b', 'sub/c']) writeFileSync(join(dir, name), 'x');
  expect(walkTree(dir, { maxEntries: 4 })).toMatchObject({ faults: [], entries: { size: 4 } });
  expect(walkTree(dir, { maxEntries: 3 }).faults).toMatchObject([{ reason: reason('too_many_files', { n: 3 }) }]);
  expect(walkTree(dir, { maxEntries: 2 }).entries.size).toBeLessThan(4);
});

function emptyFile(name: string): string {
  writeFileSync(join(dir, name), '');
  return join(dir, name);
}

test('files shared with a walked tree keep its digests, and a file in the place of one has its own', () => {
  const [first, second] = [join(dir, 'first'), join(dir, 'second')];
  mkdirSync(first);
  for (const name of ['same', 'replaced', 'moved']) writeFileSync(join(first, name), name);
  const tree = walkTree(first);
  shareTree(first, second);
  rmSync(join(second, 'replaced'));
  writeFileSync(join(second, 'replaced'), 'REPLACED');
  renameSync(join(second, 'moved'), join(second, 'elsewhere'));
  const shared = walkTree(second, { sharing: { dir: first, tree } });
  expect(digestEntries(shared.entries)).toBe(digestEntries(walkTree(second).entries));
});
