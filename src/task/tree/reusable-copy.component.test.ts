import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  linkSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
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
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { shareTree } from './copy.ts';
import { digestEntries } from './digest.ts';
import { ReusableCopy } from './reusable-copy.ts';
import { walkTree } from './walk.ts';

const FILES = ['a.txt', 'b.sh', 'src/one.py', 'src/two.py', 'src/deep/three.py', 'data/x.bin'];
let root: string;
let source: string;
/** Where links of a used copy lead. */
let decoy: string;
let places = 0;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'seatrial-reusable-'));
  source = join(root, 'source');
  for (const file of FILES) {
    mkdirSync(dirname(join(source, file)), { recursive: true });
    writeFileSync(join(source, file), `${file} `.repeat(20));
  }
  chmodSync(join(source, 'b.sh'), 0o755);
  symlinkSync('a.txt', join(source, 'link'));
  mkdirSync(join(source, 'empty'));
  decoy = join(root, 'decoy');
  for (const dir of ['src/deep', 'data', 'one.py']) mkdirSync(join(decoy, dir), { recursive: true });
  writeFileSync(join(decoy, 'a.txt'), 'decoy');
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Laid, and old enough for everything in it to be kept. */
async function laidCopy(): Promise<ReusableCopy> {
  places += 1;
  const parent = join(root, `copy-${places}`);
  mkdirSync(parent);
  const copy = new ReusableCopy(parent, source, new Map(), () => {});
  await copy.renew();
  await startLater(copy);
  return copy;
}

async function startLater(copy: ReusableCopy): Promise<void> {
  const laidAt = Date.now();
  await vi.waitUntil(() => Date.now() > laidAt + 25, { interval: 5, timeout: 10_000 });
  copy.startUse();
}

const digest = (dir: string): string => digestEntries(walkTree(dir).entries);

const CHANGES: Record<string, (dir: string) => void> = {
  'a changed byte, with the old times': (dir) => {
    const { atime, mtime } = statSync(join(dir, 'a.txt'));
    writeFileSync(join(dir, 'a.txt'), 'A.txt '.repeat(20));
    utimesSync(join(dir, 'a.txt'), atime, mtime);
  },
  'a file put in the place of another': (dir) => {
    writeFileSync(join(dir, 'other'), 'a.tXt '.repeat(20));
    renameSync(join(dir, 'other'), join(dir, 'a.txt'));
  },
  'a new file in a directory': (dir) => writeFileSync(join(dir, 'src/deep/new.py'), 'x'),
  'a removed file': (dir) => rmSync(join(dir, 'src/one.py')),
  'a removed directory': (dir) => rmSync(join(dir, 'src'), { recursive: true }),
  'another mode': (dir) => chmodSync(join(dir, 'b.sh'), 0o644),
  'a closed directory': (dir) => chmodSync(join(dir, 'src'), 0),
  'a link in the place of a directory': (dir) => {
    rmSync(join(dir, 'src'), { recursive: true });
    symlinkSync(decoy, join(dir, 'src'));
  },
  'a link in the place of the whole tree': (dir) => {
    rmSync(dir, { recursive: true });
    symlinkSync(decoy, dir);
  },
  'a directory in the place of a file': (dir) => {
    rmSync(join(dir, 'a.txt'));
    mkdirSync(join(dir, 'a.txt/more'), { recursive: true });
  },
  'another target of a link': (dir) => {
    rmSync(join(dir, 'link'));
    symlinkSync('b.sh', join(dir, 'link'));
    lutimesSync(join(dir, 'link'), 0, 0);
  },
  'a second name of a file': (dir) => linkSync(join(dir, 'a.txt'), join(dir, 'src/again')),
  'a pipe': (dir) => void spawnSync('mkfifo', [join(dir, 'data/pipe')]),
  'a file moved elsewhere': (dir) => renameSync(join(dir, 'src/one.py'), join(dir, 'data/one.py')),
  'nothing at all': () => {},
};

describe('a copy that is used again', () => {
  test.each(Object.entries(CHANGES))('is as it was after %s', async (_what, change) => {
    const copy = await laidCopy();
    change(copy.dir);
    await copy.renew();
    expect(digest(copy.dir)).toBe(digest(source));
  });

  test('is as it was after any changes, time and again', async () => {
    const copy = await laidCopy();
    const names = fc.array(fc.constantFrom(...Object.keys(CHANGES)), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(names, async (chosen) => {
        await startLater(copy);
        for (const name of chosen) {
          try {
            CHANGES[name]?.(copy.dir);
          } catch {
            // An earlier change took away what this one needs.
          }
        }
        await copy.renew();
        expect(digest(copy.dir)).toBe(digest(source));
      }),
      { numRuns: 40 },
    );
  });

  test('keeps the files that nothing wrote, and makes a written directory anew', async () => {
    const copy = await laidCopy();
    const inode = (path: string): number => statSync(join(copy.dir, path)).ino;
    const before = [inode('src'), inode('src/one.py'), inode('data'), inode('data/x.bin')];
    writeFileSync(join(copy.dir, 'src/new.py'), '');
    await copy.renew();
    const after = [inode('src'), inode('src/one.py'), inode('data'), inode('data/x.bin')];
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(after[0]).not.toBe(before[0]);
    expect(existsSync(join(copy.dir, 'src/new.py'))).toBe(false);
  });

  test('holds what is laid into the tree beside its own files', async () => {
    const parent = join(root, 'with-others');
    mkdirSync(parent);
    const given: string[] = [];
    const copy = new ReusableCopy(parent, source, new Map([['extra', join(source, 'src')]]), (dir) => given.push(dir));
    await copy.renew();
    expect(readFileSync(join(copy.dir, 'extra/one.py'), 'utf8')).toContain('one.py');
    expect(given).toEqual([copy.dir]);
  });

  test('turns to any other tree that shares files with its own, whatever was done to it', async () => {
    const copy = await laidCopy();
    const names = fc.array(fc.constantFrom(...Object.keys(CHANGES)), { maxLength: 3 });
    let trees = 0;
    const attempt = (dir: string, chosen: readonly string[]): void => {
      for (const name of chosen) {
        try {
          CHANGES[name]?.(dir);
        } catch {
          // An earlier change took away what this one needs.
        }
      }
    };
    await fc.assert(
      fc.asyncProperty(names, fc.subarray(FILES), fc.boolean(), async (chosen, replaced, isDeep) => {
        trees += 1;
        const other = join(root, `other-${trees}`);
        shareTree(source, other);
        for (const file of replaced) {
          rmSync(join(other, file));
          if (isDeep) mkdirSync(join(other, file, 'deeper'), { recursive: true });
          else writeFileSync(join(other, file), 'replaced');
        }
        await startLater(copy);
        attempt(copy.dir, chosen);
        copy.turnTo(other, new Map());
        await copy.renew();
        expect(digest(copy.dir)).toBe(digest(other));
      }),
      { numRuns: 40 },
    );
    copy.turnTo(source, new Map());
    await copy.renew();
    expect(digest(copy.dir)).toBe(digest(source));
  });

  test('turned to another tree, keeps what both share and lays no file of the other by its name alone', async () => {
    const copy = await laidCopy();
    const other = join(root, 'almost-the-same');
    shareTree(source, other);
    rmSync(join(other, 'a.txt'));
    writeFileSync(join(other, 'a.txt'), 'A.txt '.repeat(20));
    const { atime, mtime } = statSync(join(source, 'a.txt'));
    utimesSync(join(other, 'a.txt'), atime, mtime);
    const inode = statSync(join(copy.dir, 'src/one.py')).ino;
    copy.turnTo(other, new Map());
    await copy.renew();
    expect(readFileSync(join(copy.dir, 'a.txt'), 'utf8')).toContain('A.txt');
    expect(statSync(join(copy.dir, 'src/one.py')).ino).toBe(inode);
  });
});
