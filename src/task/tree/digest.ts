import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { TreeEntry } from './walk.ts';

/** One digest of many entries: names, contents, executable bits and link targets. */
export function digestEntries(entries: Iterable<readonly [path: string, entry: TreeEntry]>): string {
  const rows = Array.from(entries, ([path, entry]) => {
    if (entry.kind === 'file') return [path, entry.sha256, entry.executable];
    return entry.kind === 'link' ? [path, entry.target.toString('latin1')] : [path];
  });
  return sha256(canonicalJson(rows));
}
