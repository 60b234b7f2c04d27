import type { ImportSpec } from '../../syntax/imports/spec.ts';
import { nameOf } from '../path-parts.ts';
import { resolveJavaScript } from '../product/javascript/resolve.ts';
import { pythonCandidates } from '../product/python/resolve.ts';

/** Files that runners load themselves are never product, even if product code imports them. */
const NEVER_PRODUCT = /^(?:conftest\.py|.*_test\.go|.*\.snap)$/;

/**
 * The new files that product code of the patch imports: these are product even in a directory of tests or under a test's name.
 * `first`: changed files that are product.
 */
export function importedByProduct(
  first: readonly string[],
  added: ReadonlySet<string>,
  imports: ReadonlyMap<string, readonly ImportSpec[]>,
  pythonRoots: readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [...first];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop())
    for (const one of imports.get(path) ?? [])
      for (const target of targetsOf(path, one, added, pythonRoots)) {
        if (found.has(target) || NEVER_PRODUCT.test(nameOf(target))) continue;
        found.add(target);
        waiting.push(target);
      }
  return found;
}

function targetsOf(
  path: string,
  one: ImportSpec,
  added: ReadonlySet<string>,
  roots: readonly string[],
): readonly string[] {
  if (path.endsWith('.py')) return pythonCandidates(path, one, roots).filter((target) => added.has(target));
  return resolveJavaScript(path, one.specifier, { files: added, packages: [], entriesOf: () => [] }).found;
}
