import { enclosingDirs, joinPaths, nameOf, parentOf } from '../path-parts.ts';
import { CACHE_DIRS, CACHE_PATHS, OUTPUT_DIRS, OUTPUT_MARKERS } from '../table/caches.ts';
import { isCacheFile } from '../table/table.ts';
import type { PathSet } from '../facts.ts';

/** Whether a new file is a tool's cache or output. Directories of which the base tracks something are not. */
export function isToolOutput(
  path: string,
  { index }: { readonly index: { readonly files: PathSet; readonly dirs: PathSet } },
  added: ReadonlySet<string>,
): boolean {
  const isMade = (dir: string): boolean => {
    if (CACHE_DIRS.has(nameOf(dir)) || CACHE_PATHS.some((cache) => `/${dir}`.endsWith(`/${cache}`))) return true;
    const beside = OUTPUT_DIRS.find((one) => one.dir === nameOf(dir))?.beside ?? [];
    if (beside.some((name) => index.files.has(joinPaths(parentOf(dir), name) ?? ''))) return true;
    return OUTPUT_MARKERS.some((marker) => added.has(`${dir}/${marker}`));
  };
  return isCacheFile(path) || enclosingDirs(path).some((dir) => !index.dirs.has(dir) && isMade(dir));
}
