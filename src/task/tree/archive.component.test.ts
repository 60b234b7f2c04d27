import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sha256 } from '../../kernel/digest.ts';
import { packTree } from './archive.ts';
import { encodeHeader, padding, type TarHeader } from './tar-header.ts';
import { type Tree, walkTree } from './walk.ts';
import { unpackTree } from './unpack.ts';

let at = '';
beforeEach(() => {
  at = mkdtempSync(join(tmpdir(), 'archive-'));
});
afterEach(() => {
  execFileSync('chmod', ['-R', 'u+rwX', at]);
  rmSync(at, { recursive: true, force: true });
});

/** Names, sizes, modes and links that headers cannot hold as they are. */
function layOddTree(): string {
  const dir = join(at, 'tree');
  const long = 'n'.repeat(90);
  mkdirSync(join(dir, long, long, 'empty'), { recursive: true });
  mkdirSync(join(dir, 'a'));
  for (const bytes of [0, 1, 511, 512, 513, 70_000, 2_000_000])
    writeFileSync(join(dir, 'a', `${bytes}`), Buffer.alloc(bytes, 'content '));
  writeFileSync(join(dir, 'a.txt'), 'sorts after the directory, before what is in it');
  writeFileSync(join(dir, 'n'.repeat(98)), 'a name of 100 bytes with its dot and slash');
  writeFileSync(join(dir, long, long, 'deep'), 'deep');
  writeFileSync(Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff, 0x0a, 0x20])]), 'bytes');
  writeFileSync(join(dir, 'run'), 'true');
  chmodSync(join(dir, 'run'), 0o751);
  symlinkSync('nowhere', join(dir, 'dangling'));
  symlinkSync('x'.repeat(300), join(dir, long, 'far'));
  chmodSync(join(dir, long, long, 'empty'), 0o555);
  chmodSync(join(dir, long, long), 0o555);
  return dir;
}

const digests = ({ entries }: Tree): unknown[] =>
  [...entries.values()].map((entry) => ({ ...entry, ctimeMs: 0, path: entry.path.toString('latin1') }));

it('the bytes are those of GNU tar, and their digest is returned', () => {
  const dir = layOddTree();
  const packed = packTree(dir, join(at, 'ours.tar'));
  const fixed = ['--format=gnu', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0'];
  execFileSync('tar', ['--create', `--file=${at}/theirs.tar`, ...fixed, '-C', dir, '.'], { env: { LC_ALL: 'C' } });
  const ours = readFileSync(join(at, 'ours.tar'));
  expect(ours.equals(readFileSync(join(at, 'theirs.tar')))).toBe(true);
  expect(packed).toEqual({ sha256: sha256(ours), bytes: ours.length });
});

it('unpacking restores names, contents, modes and links; the time is fixed', () => {
  const dir = layOddTree();
  packTree(dir, join(at, 'a.tar'));
  unpackTree(join(at, 'a.tar'), join(at, 'back'));
  expect(digests(walkTree(join(at, 'back')))).toEqual(digests(walkTree(dir)));
  for (const name of ['.', 'run', `${'n'.repeat(90)}/${'n'.repeat(90)}`])
    expect(lstatSync(join(at, 'back', name)).mode).toBe(lstatSync(join(dir, name)).mode);
  for (const name of ['.', 'run', 'dangling', 'a']) expect(lstatSync(join(at, 'back', name)).mtimeMs).toBe(0);
});

it('an archive by git unpacks as git would check it out, with names of any length', () => {
  const dir = layOddTree();
  const git = (...args: string[]): void => {
    execFileSync('git', ['-C', dir, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args]);
  };
  chmodSync(join(dir, 'n'.repeat(90), 'n'.repeat(90)), 0o755);
  git('init', '--quiet', '.');
  git('add', '.');
  git('commit', '--quiet', '-m', 'a');
  git('archive', '--format=tar', `--output=${at}/git.tar`, 'HEAD');
  rmSync(join(dir, 'n'.repeat(90), 'n'.repeat(90), 'empty'), { recursive: true });
  unpackTree(join(at, 'git.tar'), join(at, 'back'));
  expect(digests(walkTree(join(at, 'back')))).toEqual(digests(walkTree(dir, { skipTopGit: true })));
});

it('packs only the named files, and unpacks them over existing ones', () => {
  const dir = layOddTree();
  packTree(dir, join(at, 'a.tar'), [Buffer.from('run'), Buffer.from('a/1'), Buffer.from('dangling')]);
  mkdirSync(join(at, 'back'));
  writeFileSync(join(at, 'back', 'run'), 'old');
  symlinkSync('run', join(at, 'back', 'dangling'));
  unpackTree(join(at, 'a.tar'), join(at, 'back'));
  expect([...walkTree(join(at, 'back')).entries.keys()]).toEqual(['a', 'a/1', 'dangling', 'run']);
  expect(readFileSync(join(at, 'back', 'run'), 'utf8')).toBe('true');
});

it('a pipe is not packed', () => {
  mkdirSync(join(at, 'tree'));
  execFileSync('mkfifo', [join(at, 'tree', 'pipe')]);
  expect(() => packTree(join(at, 'tree'), join(at, 'a.tar'))).toThrow(/cannot pack .*pipe is not a file/);
});

describe('a hostile archive is refused:', () => {
  const member = (kind: TarHeader['kind'], path: string, content = ''): Buffer => {
    const [body, target] = kind === 'link' ? ['', content] : [content, ''];
    const bytes = body.length;
    const header = encodeHeader({ kind, path: Buffer.from(path), mode: 0o755, bytes, target: Buffer.from(target) });
    return Buffer.concat([header, Buffer.from(body), Buffer.alloc(padding(bytes))]);
  };
  const unpack = (...members: Buffer[]): void => {
    writeFileSync(join(at, 'a.tar'), Buffer.concat([...members, Buffer.alloc(1024)]));
    unpackTree(join(at, 'a.tar'), join(at, 'back'));
  };

  it.each([
    ['a path above the directory', () => unpack(member('file', '../out', 'x'))],
    ['a hidden path above the directory', () => unpack(member('dir', 'a/'), member('file', 'a/../../out', 'x'))],
    ['an absolute path', () => unpack(member('file', `${at}/out`, 'x'))],
    ['a path through a link', () => unpack(member('link', 'way', at), member('file', 'way/out', 'x'))],
    ['a directory in place of a link', () => unpack(member('link', 'way', at), member('dir', 'way/'))],
    ['a link in place of a directory', () => unpack(member('dir', 'way/'), member('link', 'way', at))],
  ])('%s', (_what, lay) => {
    expect(lay).toThrow(/^cannot unpack /);
    expect(existsSync(join(at, 'out'))).toBe(false);
  });

  it('a file after a link of the same name does not write to the target', () => {
    writeFileSync(join(at, 'target'), 'old');
    unpack(member('link', 'way', join(at, 'target')), member('file', 'way', 'new'));
    expect(readFileSync(join(at, 'target'), 'utf8')).toBe('old');
  });

  it('a truncated archive, or one with a changed header', () => {
    unpack(member('file', 'whole', 'x'.repeat(2000)));
    truncateSync(join(at, 'a.tar'), 1500);
    expect(() => unpackTree(join(at, 'a.tar'), join(at, 'back'))).toThrow(/truncated/);
    const changed = member('file', 'whole', 'x');
    changed[0] = 0x57;
    expect(() => unpack(changed)).toThrow(/checksum/);
  });
});
