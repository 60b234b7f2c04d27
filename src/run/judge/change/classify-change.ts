import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { compareTrees } from '../../../task/tree/compare.ts';
import { classifyPatch } from '../deciding/classify.ts';
import { type BaseContext, openContext } from '../deciding/context.ts';
import type { FileDecision } from '../deciding/decision.ts';
import type { DecidingOptions } from '../deciding/facts.ts';
import { liesBelow, nameOf, parentOf } from '../deciding/path-parts.ts';
import { describeChanges, readPatchedImports } from '../deciding/patch-changes.ts';
import { mapProduct } from '../deciding/product/map-product.ts';
import { classifyBaseFile } from '../deciding/classify-base-file.ts';
import { isManifest, settingsRuleOf } from '../deciding/table/table.ts';
import type { ProductMap } from '../deciding/product/role.ts';
import { importsOf } from '../syntax/imports.ts';
import type { ProductStore } from '../base/product-store.ts';
import { baseFacts } from './base-facts.ts';
import type { ReadableTree } from './trees/base-tree.ts';

export interface ClassifiedChange {
  /** How every changed path is treated when the patch is judged. */
  readonly decisions: readonly FileDecision[];
  /** Files of the base that the tests use and that are not product: they must not be written while judging. */
  readonly support: readonly string[];
  /** The tests among them, and files that only serve tests; not data of the product. */
  readonly testFiles: readonly string[];
  /** Settings that the tests of the base looked for and did not find: they must not appear while judging. */
  readonly lookedFor: readonly string[];
}

export async function classifyChange(
  record: BaseRecord,
  base: ReadableTree,
  patched: ReadableTree,
  options: DecidingOptions,
  store: ProductStore | null,
): Promise<ClassifiedChange> {
  const facts = baseFacts(record, base);
  const known = store?.find() ?? null;
  const product = known ?? (await mapProduct(base, facts, importsOf));
  if (known === null) store?.keep(product);
  const changes = describeChanges(compareTrees(base.walked, patched.walked));
  const patchedImports = await readPatchedImports(changes, patched.read, importsOf);
  const decisions = classifyPatch({ facts, base, product, changes, patched: patched.read, patchedImports, options });
  const support = supportIn(record, product);
  const context = openContext({ facts, base, product, options });
  const testFiles = support.filter((path) => classifyBaseFile(path, context).kind === 'no_vote');
  const lookedFor = record.missing.filter((path) => isSettings(path, context) || isTestPackage(path, record));
  return { decisions, support, lookedFor, testFiles };
}

function isSettings(path: string, { uses }: BaseContext): boolean {
  return settingsRuleOf(path, uses) !== null || isManifest(path);
}

/** `__init__.py` beside tests: its code runs before them. */
function isTestPackage(path: string, { collected }: BaseRecord): boolean {
  return nameOf(path) === '__init__.py' && collected.some((test) => liesBelow(test, parentOf(path)));
}

/** Files of the base that decide, beside its test files. */
export interface DecidingFiles {
  /** Files other than tests that the tests use and that are not part of the product. */
  readonly support: readonly string[];
  /** Files of the product with tests in them: only these tests decide. */
  readonly inline: readonly string[];
}

export async function findDecidingFiles(record: BaseRecord, base: ReadableTree): Promise<DecidingFiles> {
  const facts = baseFacts(record, base);
  const product = await mapProduct(base, facts, importsOf);
  const options = { allowDeciding: [], protectedFiles: [], ignored: new Set<string>() };
  const context = openContext({ facts, base, product, options });
  const tests = new Set(record.collected);
  return {
    support: supportIn(record, product).filter((path) => !tests.has(path)),
    inline: record.collected.filter((path) => classifyBaseFile(path, context).kind === 'merged'),
  };
}

function supportIn({ collected, read }: BaseRecord, { roles }: ProductMap): readonly string[] {
  return [...new Set([...collected, ...read])].filter((path) => roles.get(path)?.kind !== 'product');
}
