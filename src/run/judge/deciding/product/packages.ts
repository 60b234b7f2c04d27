import { enclosingDirs, nameOf, parentOf } from '../path-parts.ts';
import { inTestDir } from '../test-names.ts';
import type { Sources } from './sources.ts';

const INSTALLED = /(?:^|\/)(?:node_modules|vendor|third_party|site-packages)\//;
const SIDE_DIR =
  /^(?:examples?|samples?|demos?|bench(?:es|marks?)?|docs?|documentation|website|playgrounds?|sandbox(?:es)?|scripts?|tools?|tooling|ci|contrib|templates?)$/i;

/** Examples, documents, benchmarks and tools lie beside a product, unless something of the product leads to them. */
export function inSideDir(path: string, below = ''): boolean {
  return enclosingDirs(path).some((dir) => dir.length > below.length && SIDE_DIR.test(nameOf(dir)));
}

export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}

/** The directories that hold one of these manifests and are packages of the product; the deepest first. */
export function packageDirs({ tree }: Sources, manifests: readonly string[]): readonly string[] {
  const found = tree.paths.filter(
    (path) => manifests.includes(nameOf(path)) && !isInstalled(path) && !inTestDir(path) && !inSideDir(path),
  );
  return [...new Set(found.map(parentOf))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** The package a path belongs to: the nearest one above it. `dirs` as `packageDirs` gives them. */
export function packageOf(path: string, dirs: readonly string[]): string | null {
  return dirs.find((dir) => dir === '' || path.startsWith(`${dir}/`)) ?? null;
}
