import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadOrCreateKey } from '../../evidence/bundle/keys.ts';
import { systemClock } from '../../kernel/clock.ts';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { digestEntries } from '../../task/tree/digest.ts';
import { packTree } from '../../task/tree/archive.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { listCache } from '../cache/entries.ts';
import { pruneCache } from '../cache/prune.ts';
import { BaseCache, type BaseCachePlace } from './base-cache.ts';
import { openJudgingPlace } from './judging-place.ts';

/** Of the files that `lay` lays. */
const TREE_ID = '4eb7d1d815fb4deb85f8ee15493be0e2bf2f3ebb';

let root: string;
let cacheDir: string;
let laid: number;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'seatrial-base-cache-'));
  cacheDir = join(root, 'cache');
  laid = 0;
});
afterEach(() => removeTree(root));

/** As another harness of the same user has it. */
function openCache(keyOf = 'home', checks: BaseCachePlace['checks'] = 'ahead'): BaseCache {
  return new BaseCache({
    checks,
    dir: join(cacheDir, 'trees'),
    key: () => loadOrCreateKey({ HOME: join(root, keyOf) }),
    clock: systemClock,
  });
}

async function lay(dir: string): Promise<{ readonly notes: readonly string[] }> {
  laid += 1;
  mkdirSync(join(dir, 'src'), { recursive: true });
  writeFileSync(join(dir, 'src', 'a.txt'), 'one line\n');
  writeFileSync(join(dir, 'src', 'run.sh'), 'true\n');
  chmodSync(join(dir, 'src', 'run.sh'), 0o755);
  symlinkSync('src/a.txt', join(dir, 'link'));
  return { notes: ['large.bin is a pointer'] };
}

/** As a run does it, which is made again where the files were changed. */
async function obtain(cache = openCache()): Promise<string> {
  const found = await cache.obtain(TREE_ID, lay);
  if (found === null) throw new Error('nothing was cached');
  const isSound = await cache.entryAt(found.dir)?.isSound;
  return isSound === true ? found.dir : obtain(cache);
}

/** Some file systems cannot tell changes within one tick of their clock apart. */
async function nextTick(): Promise<void> {
  const from = Date.now();
  await vi.waitUntil(() => Date.now() > from + 25, { interval: 5, timeout: 10_000 });
}

/** Writes although the entry is closed to writers. */
function forcing(path: string, change: () => void): void {
  for (const at of [dirname(path), path]) if (existsSync(at)) chmodSync(at, 0o755);
  change();
}

const DAMAGES: Record<string, (entry: string) => void> = {
  'a byte changed, with the old times and mode': (entry) => {
    const file = join(entry, 'tree/src/a.txt');
    const { atime, mtime, mode } = statSync(file);
    forcing(file, () => writeFileSync(file, 'One line\n'));
    utimesSync(file, atime, mtime);
    chmodSync(file, mode);
  },
  'a file swapped for one of the same size and times': (entry) => {
    const file = join(entry, 'tree/src/a.txt');
    const { atime, mtime, mode } = statSync(file);
    forcing(file, () => writeFileSync(`${file}.new`, 'Two line\n', { mode }));
    utimesSync(`${file}.new`, atime, mtime);
    renameSync(`${file}.new`, file);
  },
  'a file added': (entry) => {
    const file = join(entry, 'tree/src/more.txt');
    forcing(file, () => writeFileSync(file, ''));
  },
  'a file removed': (entry) => {
    const file = join(entry, 'tree/src/a.txt');
    forcing(file, () => rmSync(file));
  },
  'the archive changed': (entry) => {
    const file = join(entry, 'base.tar');
    forcing(file, () => appendFileSync(file, 'x'));
  },
  'the digests of its files changed': (entry) => {
    const file = join(entry, 'walk');
    forcing(file, () => writeFileSync(file, readFileSync(file).fill(0, 100, 110)));
  },
  'the manifest changed': (entry) => {
    const file = join(entry, 'entry.json');
    forcing(file, () => writeFileSync(file, readFileSync(file, 'utf8').replace('large.bin', 'small.bin')));
  },
};

describe('the files of a commit in the cache', () => {
  it('are laid once, with their archive, digests and notes, for every harness of the user', async () => {
    const first = openCache();
    const dir = await obtain(first);
    expect(await openCache().obtain(TREE_ID, lay)).toEqual({ dir, notes: ['large.bin is a pointer'] });
    expect(laid).toBe(1);
    const entry = first.entryAt(dir);
    const plain = join(root, 'plain');
    await lay(plain);
    const packed = packTree(plain, join(root, 'plain.tar'));
    expect(entry?.archive).toMatchObject(packed);
    expect(readFileSync(entry?.archive.path ?? '')).toEqual(readFileSync(join(root, 'plain.tar')));
    expect(digestEntries(entry?.tree().entries ?? [])).toBe(digestEntries(walkTree(plain).entries));
  });

  it.each(Object.entries(DAMAGES))('are not used but laid again after %s', async (_what, damage) => {
    const dir = await obtain();
    const before = digestEntries(walkTree(dir).entries);
    await nextTick();
    damage(dirname(dir));
    expect(digestEntries(walkTree(await obtain()).entries)).toBe(before);
    expect(laid).toBe(2);
    await obtain();
    expect(laid).toBe(2);
  });

  it('are not used where another key signed them', async () => {
    await obtain();
    await obtain(openCache('elsewhere'));
    expect(laid).toBe(2);
  });

  it('are not kept where they are not what the id of their tree stands for, as with forged objects of git', async () => {
    const forged = async (dir: string): ReturnType<typeof lay> => {
      const laidFiles = await lay(dir);
      writeFileSync(join(dir, 'src/a.txt'), 'two line\n');
      return laidFiles;
    };
    expect(await openCache().obtain(TREE_ID, forged)).toBeNull();
    expect(readFileSync(join(await obtain(), 'src/a.txt'), 'utf8')).toBe('one line\n');
  });

  it('are laid once by two harnesses that start at the same time', async () => {
    expect(new Set(await Promise.all([obtain(), obtain(), obtain()])).size).toBe(1);
    expect(laid).toBe(1);
  });

  it('are not used before they are complete, and what a killed writer left is removed', async () => {
    const dir = await obtain();
    const entries = dirname(dirname(dir));
    const unfinished = join(entries, `.filling-${dirname(dir).slice(entries.length + 1)}-0123`);
    renameSync(dirname(dir), unfinished);
    await obtain();
    expect(laid).toBe(2);
    expect(existsSync(unfinished)).toBe(false);
  });

  it('are copied without the cache where that cannot be written, or where laying them fails', async () => {
    writeFileSync(cacheDir, 'not a directory');
    expect(await openCache().obtain(TREE_ID, lay)).toBeNull();
    rmSync(cacheDir);
    expect(await openCache().obtain(TREE_ID, () => Promise.reject(new Error('no such commit')))).toBeNull();
    expect(readdirSync(join(cacheDir, 'trees')).filter((name) => !name.endsWith('.lock'))).toEqual([]);
  });

  it('are listed with the cache, stay while a process uses them, and are evicted after it', async () => {
    await obtain();
    expect(listCache(cacheDir)).toMatchObject([{ kind: 'tree', inUse: true }]);
    expect(await pruneCache(cacheDir, { maxBytes: -1 }, new Date())).toEqual([]);
    // The use was noted by a process that has ended.
    const ended = spawnSync('true').pid;
    const [use = ''] = readdirSync(join(cacheDir, 'uses'));
    renameSync(join(cacheDir, 'uses', use), join(cacheDir, 'uses', use.replace(/-\d+-/, `-${ended}-`)));
    expect(await pruneCache(cacheDir, { maxBytes: -1 }, new Date())).toHaveLength(1);
    expect(listCache(cacheDir)).toEqual([]);
  });
});

describe('the files of an archive in the cache', () => {
  /** The archive of a bundle whose base is `lay`. */
  async function pack(more = ''): Promise<{ path: string; sha256: string; bytes: number }> {
    const dir = join(root, `bundle-${more.length}`);
    await lay(dir);
    if (more !== '') writeFileSync(join(dir, 'more.txt'), more);
    return { path: `${dir}.tar`, ...packTree(dir, `${dir}.tar`) };
  }

  it('are those of the commit that was cached before, and a changed entry is made again from the archive', async () => {
    const dir = await obtain();
    const archive = await pack();
    const cache = openCache('home', 'first');
    expect(await cache.obtainArchive(archive)).toMatchObject({ dir, archive: { sha256: archive.sha256 } });
    appendFileSync(join(dir, 'src/a.txt'), 'changed\n');
    const again = await openCache('home', 'first').obtainArchive(archive);
    expect(again).toSatisfy(
      (found: typeof again) =>
        found === null || !readFileSync(join(found.dir, 'src/a.txt'), 'utf8').includes('changed'),
    );
  });

  it('are kept only where unpacking them would take long, and only if they are what their digest says', async () => {
    const cache = openCache('home', 'first');
    expect(await cache.obtainArchive(await pack())).toBeNull();
    const large = await pack('x'.repeat(2 * 1024 * 1024));
    const kept = await cache.obtainArchive(large);
    expect(kept?.archive.sha256).toBe(large.sha256);
    expect(await openCache('home', 'first').obtainArchive(large)).toMatchObject({ dir: kept?.dir });
    // Zeros after the end of an archive are no other files.
    appendFileSync(large.path, Buffer.alloc(10_240));
    expect(await cache.obtainArchive({ ...large, sha256: 'f'.repeat(64) })).toBeNull();
  });

  it.each(['overlay', 'copy'] as const)('are judged in an %s, where the base stays as it is', async (workspace) => {
    const cached = openCache();
    const dir = await obtain(cached);
    const scratch = join(root, 'scratch');
    mkdirSync(scratch, { mode: 0o711 });
    const place = await openJudgingPlace(
      {
        confine: 'bubblewrap',
        covered: [],
        readOnly: [],
        workspace,
        tools: { path: process.env['PATH'] ?? '', cacheDir: null, env: {} },
      },
      scratch,
      { cached: cached.entryAt(dir), lay: () => {} },
    );
    try {
      const isOverlay = place.confinement.space !== null;
      expect(isOverlay && workspace === 'copy').toBe(false);
      expect(place.baseDir === dir).toBe(isOverlay);
      rmSync(join(place.patchedDir, 'src/a.txt'));
      writeFileSync(join(place.patchedDir, 'new.txt'), 'new\n');
      expect(readdirSync(place.patchedDir).sort()).toEqual(['link', 'new.txt', 'src']);
      for (const base of [place.baseDir, dir])
        expect(digestEntries(walkTree(base).entries)).toBe(digestEntries(cached.entryAt(dir)?.tree().entries ?? []));
    } finally {
      place.close();
    }
  });
});
