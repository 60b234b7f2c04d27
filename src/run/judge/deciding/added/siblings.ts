import type { BaseContext } from '../context.ts';
import { enclosingDirs } from '../path-parts.ts';
import { decides, classifyBaseFile } from '../classify-base-file.ts';
import { isTestName } from '../test-names.ts';
import { moduleKeys } from './module-keys.ts';

/** Base files that share a module name, each with its rank. */
export type ModuleNames = ReadonlyMap<string, readonly { readonly path: string; readonly rank: number }[]>;

export function indexModules(paths: readonly string[]): ModuleNames {
  const names = new Map<string, { path: string; rank: number }[]>();
  for (const path of paths)
    for (const { key, rank } of moduleKeys(path)) {
      const known = names.get(key);
      if (known === undefined) names.set(key, [{ path, rank }]);
      else known.push({ path, rank });
    }
  return names;
}

/** Base files that a new file may be loaded instead of. */
export function hiddenBy(path: string, names: ModuleNames): readonly string[] {
  const found = moduleKeys(path).flatMap(({ key, rank }) =>
    (names.get(key) ?? []).filter((one) => one.path !== path && rank <= one.rank),
  );
  return [...new Set(found.map((one) => one.path))];
}

/** The deciding files among them that tests load by name: nothing imports a test. */
export function decidingAmong(paths: readonly string[], context: BaseContext): readonly string[] {
  return paths.filter((path) => {
    if (context.collected.has(path) && isTestName(path)) return false;
    return decides(path, context) && (!context.seesReads || context.read.has(path) || context.collected.has(path));
  });
}

/**
 * Whether every base module of this name, or of the name of a new directory above it, has a vote: then only the product is affected.
 */
export function isProductModule(path: string, names: ModuleNames, context: BaseContext): boolean {
  const own = moduleKeys(path).map(({ key }) => key);
  const dirs = enclosingDirs(path).filter((dir) => !context.index.dirs.has(dir));
  const keys = [...own, ...dirs.flatMap((dir) => [`script:${dir}`, `rust:${dir}`])];
  const others = keys.flatMap((key) => names.get(key) ?? []).filter((one) => one.path !== path);
  return others.length > 0 && others.every((one) => hasVote(one.path, context));
}

function hasVote(path: string, context: BaseContext): boolean {
  const { kind, why } = classifyBaseFile(path, context);
  return kind === 'product' || why === 'inline_tests';
}
