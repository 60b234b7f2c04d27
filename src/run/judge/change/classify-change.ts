import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { compareTrees } from '../../patch/changes.ts';
import { classifyPatch } from '../deciding/classify.ts';
import type { FileDecision } from '../deciding/decision.ts';
import type { DecidingOptions } from '../deciding/facts.ts';
import { describeChanges, readPatchedImports } from '../deciding/patch-changes.ts';
import { mapProduct } from '../deciding/product/map-product.ts';
import { importsOf } from '../syntax/imports.ts';
import { baseFacts } from './base-facts.ts';
import type { ReadableTree } from './base-tree.ts';

export interface ClassifiedChange {
  /** What becomes of every changed path when the patch is judged. */
  readonly decisions: readonly FileDecision[];
  /** Files of the base that the tests use and that are not product: nothing may write them while judging. */
  readonly support: readonly string[];
}

export async function classifyChange(
  record: BaseRecord,
  base: ReadableTree,
  patched: ReadableTree,
  options: DecidingOptions,
): Promise<ClassifiedChange> {
  const facts = baseFacts(record, base);
  const product = await mapProduct(base, facts, importsOf);
  const changes = describeChanges(compareTrees(base.walked, patched.walked));
  const patchedImports = await readPatchedImports(changes, patched.read, importsOf);
  const decisions = classifyPatch({ facts, base, product, changes, patched: patched.read, patchedImports, options });
  const isProduct = (path: string): boolean => product.roles.get(path)?.kind === 'product';
  return { decisions, support: [...new Set([...facts.collected, ...record.read])].filter((path) => !isProduct(path)) };
}
