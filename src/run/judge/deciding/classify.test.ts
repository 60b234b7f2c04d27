import fc from 'fast-check';
import { expect, test } from 'vitest';
import { someRuns } from '../../../kernel/some-of.fixture.ts';
import { importsOf } from '../syntax/imports.ts';
import { classifyPatch } from './classify.ts';
import type { PatchInput } from './context.ts';
import type { FileDecision } from './decision.ts';
import type { PatchChange } from './facts.ts';
import { mapProduct } from './product/map-product.ts';
import { factsOf, type SampleRepository, treeOf } from './repository.fixture.ts';
import {
  C_PROGRAM,
  CRATE,
  GO_MODULE,
  NODE_PACKAGE,
  PYTHON_FLAT,
  PYTHON_PACKAGE,
  SHELL_PROGRAM,
  MONOREPO,
} from './samples.fixture.ts';

const REPOSITORIES = [PYTHON_PACKAGE, PYTHON_FLAT, NODE_PACKAGE, MONOREPO, GO_MODULE, CRATE, C_PROGRAM, SHELL_PROGRAM];

const RUNS = { numRuns: someRuns(100) };

type Prepared = Omit<PatchInput, 'changes'>;

async function prepare(repository: SampleRepository, text: string | null = ''): Promise<Prepared> {
  const base = treeOf(repository);
  const facts = factsOf(repository, base);
  const product = await mapProduct(base, facts, importsOf);
  const options = { allowDeciding: [], protectedFiles: [], ignored: new Set<string>() };
  return { base, facts, product, patched: () => text, patchedImports: new Map(), options };
}

const prepared = await Promise.all(
  REPOSITORIES.flatMap((repository) => [
    prepare(repository),
    prepare({ ...repository, found_by: 'access_times' }),
    prepare({ ...repository, found_by: 'names' }),
  ]),
);

const segment = fc.constantFrom(
  'tests',
  'src',
  'lib',
  'a',
  'node_modules',
  '.cargo',
  'vendor',
  'conftest.py',
  'index.js',
  'json.py',
  'helper.ts',
  'x.rs',
  'go.mod',
  'Makefile',
  'package.json',
  'Test',
  '.github',
  'data.json',
  '__init__.py',
  'ß\n"',
);
const newPath = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
const changeKind = fc.constantFrom<PatchChange['kind']>('modified', 'deleted', 'mode', 'type', 'link');

/** A repository with some of its paths changed and some new ones. */
const patches = fc.constantFrom(...prepared).chain((input) => {
  const existing = fc
    .record({ path: fc.constantFrom(...input.base.paths), kind: changeKind })
    .map(({ path, kind }): PatchChange => ({
      path,
      kind,
      target: kind === 'type' || kind === 'link' ? 'elsewhere' : null,
    }));
  const added = newPath
    .filter((path) => !input.base.paths.includes(path))
    .map((path): PatchChange => ({ path, kind: 'added', target: null }));
  return fc.record({
    input: fc.constant(input),
    existing: fc.uniqueArray(existing, { maxLength: 8, selector: ({ path }) => path }),
    added: fc.uniqueArray(added, { maxLength: 6, selector: ({ path }) => path }),
  });
});

function classify(
  input: Prepared,
  changes: readonly PatchChange[],
  options: Partial<PatchInput['options']> = {},
): readonly FileDecision[] {
  return classifyPatch({ ...input, options: { ...input.options, ...options }, changes });
}

test('every change gets one decision, in the order given', () => {
  fc.assert(
    fc.property(patches, ({ input, existing, added }) => {
      const changes = [...existing, ...added];
      expect(classify(input, changes).map(({ path }) => path)).toEqual(changes.map(({ path }) => path));
    }),
    RUNS,
  );
});

test('a test of the base is never judged in the version of the patch', () => {
  fc.assert(
    fc.property(patches, ({ input, existing, added }) => {
      const collected = new Set(input.facts.collected);
      const tests = classify(input, [...existing, ...added]).filter(({ path }) => collected.has(path));
      expect(tests.filter(({ deciding }) => deciding === 'patch')).toEqual([]);
    }),
    RUNS,
  );
});

test('other changes have no say in what becomes of a file of the base', () => {
  fc.assert(
    fc.property(patches, ({ input, existing, added }) => {
      const together = classify(input, [...existing, ...added]);
      const alone = existing.flatMap((change) => classify(input, [change]));
      expect(together.slice(0, existing.length)).toEqual(alone);
    }),
    RUNS,
  );
});

test('a new file is never made harmless by another new file, unless product code imports it', () => {
  fc.assert(
    fc.property(patches, ({ input, added }) => {
      const refusedAlone = added
        .filter((change) => classify(input, [change])[0]?.kind === 'refused')
        .map(({ path }) => path);
      const together = new Map(classify(input, added).map((decision) => [decision.path, decision]));
      for (const path of refusedAlone) expect(together.get(path)?.deciding).toBe('base');
    }),
    RUNS,
  );
});

test('nothing of the base is taken for a cache, and everything new stays out or has a reason', () => {
  fc.assert(
    fc.property(patches, ({ input, existing, added }) => {
      for (const { kind } of classify(input, existing)) expect(kind).not.toBe('byproduct');
      for (const { sentence } of classify(input, added)) expect(sentence).toMatch(/^[^{}]+$/);
    }),
    RUNS,
  );
});

test('with everything allowed nothing is refused, and what would have been is marked', () => {
  fc.assert(
    fc.property(patches, ({ input, existing, added }) => {
      const changes = [...existing, ...added];
      const plain = classify(input, changes);
      const allowed = classify(input, changes, { allowDeciding: ['**'] });
      for (const [at, decision] of allowed.entries()) {
        expect(decision.kind).not.toBe('refused');
        const would = plain[at]?.kind;
        expect(decision.allowed_from).toBe(would === 'product' || would === 'byproduct' ? null : would);
      }
    }),
    RUNS,
  );
});

test('less knowledge of the run never turns a refusal into a vote for a planted file', () => {
  const pairs = REPOSITORIES.map((_repository, at) => [prepared[at * 3], prepared[at * 3 + 2]] as const);
  fc.assert(
    fc.property(fc.constantFrom(...pairs), newPath, ([traced, blind], path) => {
      const change: PatchChange = { path, kind: 'added', target: null };
      const whys = [traced, blind].map((input) =>
        input === undefined || input.base.paths.includes(path) ? null : classify(input, [change])[0],
      );
      const isLost = whys[0]?.why === 'settings_planted' && whys[1]?.deciding !== 'base';
      expect(isLost).toBe(false);
    }),
    RUNS,
  );
});
