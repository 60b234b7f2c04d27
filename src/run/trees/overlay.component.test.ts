import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test, type TestContext } from 'vitest';
import { type Overlay, OverlaySpace } from '../../confine/overlay/space.ts';
import { systemCode } from '../../kernel/errors.ts';
import { LayeredEntries } from '../../task/tree/layered/layered-entries.ts';
import { walkOver } from '../../task/tree/layered/walk-over.ts';
import { type Tree, type TreeEntry, walkTree } from '../../task/tree/walk.ts';
import { overBase } from './overlay.ts';

const root = mkdtempSync(join(tmpdir(), 'overlay-'));
let space: OverlaySpace | null = null;
let made = 0;

beforeAll(async () => {
  space = await OverlaySpace.open(process.env['PATH'] ?? '');
});
afterAll(() => {
  space?.close();
  for (const name of readdirSync(root)) execFileSync('chmod', ['-R', 'u+rwx', join(root, name)]);
  rmSync(root, { recursive: true, force: true });
});
beforeEach(({ skip }: TestContext) => {
  if (space === null) skip('overlays cannot be mounted on this machine');
});

interface Laid {
  readonly base: Tree;
  readonly baseDir: string;
  readonly overlay: Overlay;
}

async function lay(files: Readonly<Record<string, string>>): Promise<Laid> {
  made += 1;
  const baseDir = join(root, `base-${made}`);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(baseDir, path, '..'), { recursive: true });
    writeFileSync(join(baseDir, path), text);
  }
  mkdirSync(baseDir, { recursive: true });
  const overlay = await space?.mount(join(root, `place-${made}`), [baseDir]);
  if (!overlay) throw new Error('the overlay was not mounted');
  const { entries, faults } = walkTree(baseDir);
  return { base: { entries: LayeredEntries.of(entries), faults }, baseDir, overlay };
}

const OPTIONS = { seenAs: '/workspace', skipTopGit: true } as const;

/** Without change times: those of files that were not read are not known. */
function seen({ entries, faults }: Tree): unknown {
  const plain = ({ ctimeMs: _time, ...rest }: TreeEntry) => ({ ...rest, path: rest.path.toString('latin1') });
  return { entries: [...entries.values()].map(plain), faults: faults.map(({ reason }) => reason.text) };
}

function expectSameAsWholeWalk({ base, overlay }: Laid): void {
  const whole = seen(walkTree(overlay.view, OPTIONS));
  expect(seen(walkOver(overlay.view, { ...OPTIONS, ...overBase(base, overlay) }))).toEqual(whole);
  // A tree that was not read from a table is walked in another way.
  const plain = { ...base, entries: new Map(base.entries) };
  expect(seen(walkOver(overlay.view, { ...OPTIONS, ...overBase(plain, overlay) }))).toEqual(whole);
}

const NAMES = ['a', 'b', 'a.b', 'dir', 'c d', '.wh.a', 'link', 'ÿ'];
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));

/** What a hostile or clumsy program may do to a path; whatever the kernel refuses is not done. */
const ACTIONS: Readonly<Record<string, (at: string, other: string, text: string) => void>> = {
  write: (at, _other, text) => writeFileSync(at, text),
  append: (at, _other, text) => appendFileSync(at, text),
  'write the same': (at) => writeFileSync(at, readFileSync(at)),
  remove: (at) => rmSync(at, { recursive: true }),
  'make a directory': (at) => mkdirSync(at, { recursive: true }),
  'replace by a directory': (at, _other, text) => {
    rmSync(at, { recursive: true, force: true });
    mkdirSync(at);
    writeFileSync(join(at, 'a'), text);
  },
  'replace by a file': (at, _other, text) => {
    rmSync(at, { recursive: true, force: true });
    writeFileSync(at, text);
  },
  'replace by a link': (at, _other, text) => {
    rmSync(at, { recursive: true, force: true });
    // Later actions follow it, so it must lead to nothing that they could change.
    symlinkSync(text.length % 2 === 0 ? 'a' : '/proc/self/nothing', at);
  },
  rename: (at, other) => renameSync(at, other),
  'hard link': (at, other) => linkSync(at, other),
  'make executable': (at) => chmodSync(at, lstatSync(at).mode ^ 0o100),
  touch: (at) => utimesSync(at, 1, 1),
  'make a repository': (at) => mkdirSync(join(at, '.git'), { recursive: true }),
};

const action = fc.record({ what: fc.constantFrom(...Object.keys(ACTIONS)), at: path, other: path, text: fc.string() });

test('what was changed tells as much as a walk of everything, whatever was done', async () => {
  const tree = fc.dictionary(path, fc.string(), { maxKeys: 12 });
  await fc.assert(
    fc.asyncProperty(tree, fc.array(action, { maxLength: 12 }), async (files, actions) => {
      const laid = await lay(withoutClashes(files));
      for (const { what, at, other, text } of actions) {
        try {
          ACTIONS[what]?.(join(laid.overlay.view, at), join(laid.overlay.view, other), text);
        } catch (error) {
          if (systemCode(error) === null) throw error;
        }
      }
      expectSameAsWholeWalk(laid);
      expect(seen(walkTree(laid.baseDir))).toEqual(seen(laid.base));
    }),
    { numRuns: 60 },
  );
});

/** Where one path is a directory of another, the other stays. */
function withoutClashes(files: Readonly<Record<string, string>>): Record<string, string> {
  const paths = Object.keys(files);
  return Object.fromEntries(
    Object.entries(files).filter(([one]) => !paths.some((other) => other.startsWith(`${one}/`))),
  );
}

test('pipes and limits are found as in a walk of everything', async () => {
  const laid = await lay({ 'a/b': 'one', 'c/d': 'two', 'c/e': 'three' });
  execFileSync('mkfifo', ['c/pipe'], { cwd: laid.overlay.view });
  expectSameAsWholeWalk(laid);
  const over = overBase(laid.base, laid.overlay);
  for (const limits of [{ maxBytes: 4 }, { maxEntries: 3 }])
    expect(walkOver(laid.overlay.view, { ...OPTIONS, ...over, ...limits }).faults).toEqual(
      walkTree(laid.overlay.view, { ...OPTIONS, ...limits }).faults,
    );
});

test('marks of the kernel cannot be planted from within, so what they hide is still seen', async () => {
  const laid = await lay({ 'a/b': 'one', 'c/d': 'two' });
  const within = { cwd: laid.overlay.view, stdio: 'pipe' } as const;
  expect(() => execFileSync('mknod', ['c/white', 'c', '0', '0'], within)).toThrow(/not permitted/);
  mkdirSync(join(laid.overlay.view, 'c/.wh..wh..opq'));
  writeFileSync(join(laid.overlay.view, 'c/.wh.d'), '');
  expectSameAsWholeWalk(laid);
  expect([...walkOver(laid.overlay.view, overBase(laid.base, laid.overlay)).entries.keys()]).toContain('c/d');
});

/** Attributes by which the kernel marks replaced directories, moved, deleted and half-copied files; and one that is nobody's. */
const MARKS = [
  'opaque=y',
  'opaque=x',
  'whiteout=',
  'redirect=/a',
  'metacopy=',
  'origin=x',
  'impure=y',
  'nlink=U+1',
  'uuid=x',
];
const PLANT = [
  'import os, sys',
  'for path in ["c", "c/d", "a", "a/b", "new", "c/empty"]:',
  '    for mark in sys.argv[1:]:',
  '        name, value = mark.split("=", 1)',
  '        try: os.setxattr(path, name, value.encode())',
  '        except OSError: pass',
].join('\n');

test('attributes by which the kernel marks changes hide nothing where they are planted, mounted again or not', async () => {
  const laid = await lay({ 'a/b': 'one', 'c/d': 'two', 'c/e': 'three' });
  mkdirSync(join(laid.overlay.view, 'new'));
  writeFileSync(join(laid.overlay.view, 'c/empty'), '');
  const marks = [...MARKS.flatMap((mark) => [`user.overlay.${mark}`, `trusted.overlay.${mark}`]), 'user.other=x'];
  execFileSync('python3', ['-c', PLANT, ...marks], { cwd: laid.overlay.view });
  const found = seen(walkTree(laid.overlay.view, OPTIONS));
  expectSameAsWholeWalk(laid);
  expect(readdirSync(join(laid.overlay.view, 'c')).sort()).toEqual(['d', 'e', 'empty']);
  // As the work of a killed run is read.
  const other = await OverlaySpace.open(process.env['PATH'] ?? '');
  const again = await other?.mount(dirname(laid.overlay.changes), [laid.baseDir]);
  if (!again) throw new Error('the overlay was not mounted again');
  expect(seen(walkTree(again.view, OPTIONS))).toEqual(found);
  other?.close();
});

test('the mounts are seen by this process and by commands that enter, by no other', async () => {
  const laid = await lay({ 'a b': 'one' });
  const { merged, view } = laid.overlay;
  expect(readdirSync(view)).toEqual(['a b']);
  expect(readdirSync(merged)).toEqual([]);
  const [file = '', ...words] = space?.entering ?? [];
  expect(execFileSync(file, [...words, 'ls', merged], { encoding: 'utf8' })).toBe('a b\n');
  // Every command in an overlay can read its options.
  const options = execFileSync(file, [...words, 'grep', merged, '/proc/self/mountinfo'], { encoding: 'utf8' });
  expect(options.split(' - ')[1]).not.toContain(root);
});

test('files in memory can be a layer, and do not get to the disk', async () => {
  const laid = await lay({ a: 'one', b: 'two' });
  const memory = join(root, 'memory');
  const view = await space?.mountMemory(memory);
  if (!view) throw new Error('no memory was mounted');
  writeFileSync(join(view, 'a'), 'from memory');
  const overlay = await space?.mount(join(root, 'over-memory'), [memory, laid.baseDir]);
  expect(['a', 'b'].map((name) => readFileSync(join(overlay?.view ?? '', name), 'utf8'))).toEqual([
    'from memory',
    'two',
  ]);
  expect(readdirSync(memory)).toEqual([]);
});

test('the mounts are gone when the process is', async () => {
  const own = await OverlaySpace.open(process.env['PATH'] ?? '');
  const overlay = await own?.mount(join(root, 'short'), [root]);
  expect(readdirSync(overlay?.view ?? '').length).toBeGreaterThan(0);
  own?.close();
  const look = (): unknown => lstatSync(overlay?.view ?? '', { throwIfNoEntry: false });
  await expect.poll(look, { timeout: 60_000 }).toBeUndefined();
});
