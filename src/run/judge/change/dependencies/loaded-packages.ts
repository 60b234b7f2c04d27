import type { FileDecision } from '../../deciding/decision.ts';
import { importsOf } from '../../syntax/imports.ts';
import type { ReadableTree } from '../trees/base-tree.ts';

const JAVASCRIPT = /\.[cm]?[jt]sx?$/;
const PACKAGE = /^(?!node:)((?:@[^/.][^/]*\/)?[^/.@#][^/:]*)(?:\/|$)/;

/**
 * npm packages that changed product code loads. A bundled product lists them under `devDependencies`, although it needs them itself.
 */
export async function loadedPackages(
  decisions: readonly FileDecision[],
  patched: ReadableTree,
): Promise<ReadonlySet<string>> {
  if (!decisions.some(({ path }) => /(?:^|\/)package\.json$/.test(path))) return new Set();
  const texts = decisions
    .filter(({ path, kind }) => kind === 'product' && JAVASCRIPT.test(path))
    .map(({ path }) => ({ path, text: patched.read(path) ?? '' }));
  const imports = await Promise.all(texts.map(({ path, text }) => importsOf(path, text)));
  return new Set(
    imports
      .flatMap((found) => found ?? [])
      .filter(({ typeOnly, whole }) => whole && !typeOnly)
      .flatMap(({ specifier }) => PACKAGE.exec(specifier)?.[1] ?? []),
  );
}
