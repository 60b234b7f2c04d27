import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Bundle } from '../../evidence/bundle/bundle.ts';
import { ZERO_DIGEST } from '../../kernel/digest.ts';
import { shareTree } from '../../task/tree/copy.ts';
import { walkTree } from '../../task/tree/walk.ts';
import { compareTrees } from '../../task/tree/compare.ts';
import { applyPatch, writePatch } from './write.ts';
import { someRuns } from '../../kernel/some-of.fixture.ts';

type Leaf =
  | { readonly kind: 'file'; readonly content: Uint8Array; readonly executable: boolean }
  | { readonly kind: 'link'; readonly target: string };

const names = fc.constantFrom(
  'a',
  'b.txt',
  'with space',
  '-dash',
  'new\nline',
  'größe',
  '"quoted"',
  'back\\slash',
  '.gitattributes',
  '.gitignore',
  'd/e',
  'd/f/g',
);
const leaf: fc.Arbitrary<Leaf> = fc.oneof(
  fc.record({
    kind: fc.constant('file' as const),
    content: fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      fc
        .constantFrom('one\r\ntwo\r\n', 'no end', '* text=auto eol=crlf\n* filter=x diff=y\n', '')
        .map((text) => new Uint8Array(Buffer.from(text))),
    ),
    executable: fc.boolean(),
  }),
  fc.record({ kind: fc.constant('link' as const), target: fc.constantFrom('a', 'd/e', 'not there') }),
);
const treeOf = fc.dictionary(names, leaf, { maxKeys: 6 });

function lay(dir: string, tree: Record<string, Leaf>): void {
  mkdirSync(dir, { recursive: true });
  for (const [name, entry] of Object.entries(tree)) {
    mkdirSync(join(dir, name, '..'), { recursive: true });
    if (entry.kind === 'link') symlinkSync(entry.target, join(dir, name));
    else {
      writeFileSync(join(dir, name), entry.content);
      chmodSync(join(dir, name), entry.executable ? 0o755 : 0o644);
    }
  }
}

function bundleAt(dir: string): Bundle {
  mkdirSync(dir);
  return {
    kind: 'run',
    runsDir: dir,
    runId: 'r',
    dir,
    task: 't',
    engine: 'fake',
    nonce: 'n',
    startedAt: '',
    startedMono: 0,
    ledgerHeadAtStart: ZERO_DIGEST,
  };
}

async function roundTrip(before: Record<string, Leaf>, after: Record<string, Leaf>): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), 'patch-'));
  try {
    const [base, frozen] = [join(root, 'base'), join(root, 'frozen')];
    lay(base, before);
    lay(frozen, after);
    const bundle = bundleAt(join(root, 'bundle'));
    const ownGit = join(root, 'git');
    await writePatch(
      compareTrees(walkTree(base), walkTree(frozen)),
      { ownGit, baseDir: base, frozenDir: frozen },
      bundle,
    );
    // As in a run: the files of the patched tree are those of the base, which must stay as they are.
    const [unpatched, patched] = [walkTree(base), join(root, 'patched')];
    shareTree(base, patched);
    await applyPatch(bundle.dir, patched, ownGit);
    expect(compareTrees(unpatched, walkTree(base))).toEqual([]);
    return compareTrees(walkTree(patched), walkTree(frozen)).map(({ path }) => path.toString('utf8'));
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test('the patch turns the base into the frozen tree: any names, bytes, modes and links', async () => {
  const property = fc.asyncProperty(treeOf, treeOf, async (before, after) => {
    expect(await roundTrip(before, after)).toEqual([]);
  });
  await fc.assert(property, { numRuns: someRuns(25) });
});

test('contents that are too large for a patch are stored in blobs/', async () => {
  const large = { kind: 'file' as const, content: new Uint8Array(5 * 1024 * 1024), executable: false };
  const small = { kind: 'file' as const, content: new Uint8Array([1]), executable: true };
  expect(await roundTrip({ 'd/e': small, a: large }, { 'd/e': large, b: { kind: 'link', target: 'd/e' } })).toEqual([]);
  expect(await roundTrip({ a: large }, { a: { kind: 'link', target: 'x' } })).toEqual([]);
});

test('no changes give an empty patch', async () => {
  const root = mkdtempSync(join(tmpdir(), 'patch-'));
  const bundle = bundleAt(join(root, 'bundle'));
  await writePatch([], { ownGit: '', baseDir: '', frozenDir: '' }, bundle);
  expect(readFileSync(join(bundle.dir, 'patch.diff'), 'utf8')).toBe('');
  expect(existsSync(join(bundle.dir, 'blobs'))).toBe(false);
  rmSync(root, { recursive: true });
});
