import type { BaseContext } from '../context.ts';
import { foldersAbove, joinPaths, nameOf, parentOf } from '../path-parts.ts';
import { OUTPUT_FOLDERS, OUTPUT_MARKERS } from '../table/caches.ts';
import { isCache } from '../table/table.ts';

/** Whether a new file is a tool's cache or output. Folders of which the base tracks something are not. */
export function isToolOutput(path: string, { index }: BaseContext, added: ReadonlySet<string>): boolean {
  const folders = foldersAbove(path).filter((folder) => !index.folders.has(folder));
  if (isCache(path) && (folders.length > 0 || isCacheByName(path))) return true;
  return folders.some((folder) => {
    const beside = OUTPUT_FOLDERS.find((one) => one.folder === nameOf(folder))?.beside ?? [];
    const isMade = beside.some((name) => index.files.has(joinPaths(parentOf(folder), name) ?? ''));
    return isMade || OUTPUT_MARKERS.some((marker) => added.has(`${folder}/${marker}`));
  });
}

/** A single file, such as `.coverage`; others of its kind may be tracked beside it. */
function isCacheByName(path: string): boolean {
  return isCache(nameOf(path));
}
