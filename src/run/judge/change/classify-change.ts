import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import { type Change, compareTrees } from '../../patch/changes.ts';
import { classifyPatch } from '../deciding/classify.ts';
import type { FileDecision } from '../deciding/decision.ts';
import type { PatchChange } from '../deciding/facts.ts';
import { pathName } from '../deciding/path-name.ts';
import { mapProduct } from '../deciding/product/map-product.ts';
import { importsOf } from '../syntax/imports.ts';
import type { ImportSpec } from '../syntax/imports/spec.ts';
import { baseFacts } from './base-facts.ts';
import type { ReadableTree } from './base-tree.ts';

export interface ClassifyOptions {
  /** Globs of deciding files that a person lets this patch change. */
  readonly allowDeciding: readonly string[];
  readonly protectedFiles: readonly string[];
  /** Changed paths that the base's `.gitignore` files match. */
  readonly ignored: ReadonlySet<string>;
}

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
  options: ClassifyOptions,
): Promise<ClassifiedChange> {
  const changes = compareTrees(base.walked, patched.walked).map(describeChange);
  const facts = baseFacts(record, base);
  const patchedImports = new Map<string, readonly ImportSpec[]>();
  for (const { path, kind } of changes) {
    const text = kind === 'added' || kind === 'modified' ? patched.read(path) : null;
    if (text !== null) patchedImports.set(path, (await importsOf(path, text)) ?? []);
  }
  const product = await mapProduct(base, facts, importsOf);
  const decisions = classifyPatch({ facts, base, product, changes, patched: patched.read, patchedImports, options });
  const isProduct = (path: string): boolean => product.roles.get(path)?.kind === 'product';
  return { decisions, support: [...new Set([...facts.collected, ...record.read])].filter((path) => !isProduct(path)) };
}

function describeChange({ path, before, after }: Change): PatchChange {
  const target = after?.kind === 'link' ? pathName(after.target) : null;
  return { path: pathName(path), kind: kindOf(before, after), target };
}

function kindOf(before: Change['before'], after: Change['after']): PatchChange['kind'] {
  if (before === null) return 'added';
  if (after === null) return 'deleted';
  if (before.kind !== after.kind) return 'type';
  if (before.kind === 'link') return 'link';
  return after.kind === 'file' && before.sha256 === after.sha256 ? 'mode' : 'modified';
}
