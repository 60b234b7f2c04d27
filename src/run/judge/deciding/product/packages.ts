import { foldersAbove, nameOf, parentOf } from '../path-parts.ts';
import { inTestFolder } from '../test-names.ts';
import type { Sources } from './sources.ts';

const INSTALLED = /(?:^|\/)(?:node_modules|vendor|third_party|site-packages)\//;
const SIDE_FOLDER =
  /^(?:examples?|samples?|demos?|bench(?:es|marks?)?|docs?|documentation|website|playgrounds?|sandbox(?:es)?|scripts?|tools?|tooling|ci|contrib|templates?)$/i;

/** Examples, documents, benchmarks and tools lie beside a product, unless something of the product leads to them. */
export function inSideFolder(path: string, below = ''): boolean {
  return foldersAbove(path).some((folder) => folder.length > below.length && SIDE_FOLDER.test(nameOf(folder)));
}

export function isInstalled(path: string): boolean {
  return INSTALLED.test(path);
}

/** The directories that hold one of these manifests and are packages of the product; the deepest first. */
export function packageFolders({ tree }: Sources, manifests: readonly string[]): readonly string[] {
  const found = tree.paths.filter(
    (path) => manifests.includes(nameOf(path)) && !isInstalled(path) && !inTestFolder(path) && !inSideFolder(path),
  );
  return [...new Set(found.map(parentOf))].sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
}

/** The package a path belongs to: the nearest one above it. `folders` as `packageFolders` gives them. */
export function packageOf(path: string, folders: readonly string[]): string | null {
  return folders.find((folder) => folder === '' || path.startsWith(`${folder}/`)) ?? null;
}
