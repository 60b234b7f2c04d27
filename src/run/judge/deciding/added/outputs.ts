import type { BaseContext } from '../context.ts';
import { foldersAbove, joinPaths, nameOf, parentOf } from '../path-parts.ts';
import { CACHE_FOLDERS, CACHE_PATHS, OUTPUT_FOLDERS, OUTPUT_MARKERS } from '../table/caches.ts';
import { isCacheFile } from '../table/table.ts';

/** Whether a new file is a tool's cache or output. Directories of which the base tracks something are not. */
export function isToolOutput(
  path: string,
  { index }: { readonly index: Pick<BaseContext['index'], 'files' | 'folders'> },
  added: ReadonlySet<string>,
): boolean {
  const isMade = (folder: string): boolean => {
    if (CACHE_FOLDERS.has(nameOf(folder)) || CACHE_PATHS.some((cache) => `/${folder}`.endsWith(`/${cache}`)))
      return true;
    const beside = OUTPUT_FOLDERS.find((one) => one.folder === nameOf(folder))?.beside ?? [];
    if (beside.some((name) => index.files.has(joinPaths(parentOf(folder), name) ?? ''))) return true;
    return OUTPUT_MARKERS.some((marker) => added.has(`${folder}/${marker}`));
  };
  return isCacheFile(path) || foldersAbove(path).some((folder) => !index.folders.has(folder) && isMade(folder));
}
