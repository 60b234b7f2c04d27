import type { Change } from '../../../task/tree/compare.ts';
import type { ImportSpec } from '../syntax/imports/spec.ts';
import type { PatchChange } from './facts.ts';
import { pathName } from './path-name.ts';
import type { ImportReader } from './product/sources.ts';

/** What differs between two walks of a tree, in the form that decisions are made on. */
export function describeChanges(changes: readonly Change[]): readonly PatchChange[] {
  return changes.map(({ path, before, after }) => {
    const target = after?.kind === 'link' ? pathName(after.target) : null;
    return { path: pathName(path), kind: kindOf(before, after), target };
  });
}

function kindOf(before: Change['before'], after: Change['after']): PatchChange['kind'] {
  if (before === null) return 'added';
  if (after === null) return 'deleted';
  if (before.kind !== after.kind) return 'type';
  if (before.kind === 'link' || after.kind === 'link') return 'link';
  return before.sha256 === after.sha256 ? 'mode' : 'modified';
}

/** Imports of the files that a patch adds or modifies. */
export async function readPatchedImports(
  changes: readonly PatchChange[],
  patched: (path: string) => string | null,
  importsOf: ImportReader,
): Promise<ReadonlyMap<string, readonly ImportSpec[]>> {
  const found = new Map<string, readonly ImportSpec[]>();
  for (const { path, kind } of changes) {
    const text = kind === 'deleted' ? null : patched(path);
    if (text !== null) found.set(path, (await importsOf(path, text)) ?? []);
  }
  return found;
}
