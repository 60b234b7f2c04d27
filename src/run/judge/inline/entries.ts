import type { Edit } from '../syntax/edits.ts';

/** One item of a file, module or block. */
export interface Entry {
  /** Identifies the same item in base and patch: `fn slug`. Numbered if there are several. */
  readonly key: string;
  readonly isTest: boolean;
  /** Includes attributes, decorators and documentation. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Makes equal keys unique. */
export function numberKeys<T extends { readonly key: string }>(entries: readonly T[]): readonly T[] {
  const seen = new Map<string, number>();
  return entries.map((entry) => {
    const count = (seen.get(entry.key) ?? 0) + 1;
    seen.set(entry.key, count);
    return count === 1 ? entry : { ...entry, key: `${entry.key} (${count})` };
  });
}

export interface EntrySplice {
  readonly edits: readonly Edit[];
  /** Tests of the base that the patch had changed or removed. */
  readonly restored: readonly Entry[];
  /** Tests of the patch that differ from the base's. */
  readonly removed: readonly Entry[];
}

/**
 * Puts the base's tests among the patch's other entries. A test that is equal in both stays where the patch has it; all other tests of
 * the patch are removed. Each test of the base goes behind the entry that preceded it on the base, or the last remaining one before
 * that, because in some languages the order matters. `head`: the place before the first entry.
 */
export function spliceEntries(base: readonly Entry[], patch: readonly Entry[], head: number): EntrySplice {
  const kept = keepEqual(base, patch);
  const stay = new Set(kept.values());
  const removed = patch.filter((entry) => entry.isTest && !stay.has(entry));
  const places = new Map(patch.filter(({ isTest }) => !isTest).map((entry) => [entry.key, entry.end]));
  const restored: Entry[] = [];
  const edits: Edit[] = removed.map(({ start, end }) => ({ start, end, text: '' }));
  let place = head;
  for (const entry of base) {
    const same = kept.get(entry);
    if (!entry.isTest) place = places.get(entry.key) ?? place;
    else if (same !== undefined) place = same.end;
    else {
      restored.push(entry);
      edits.push({ start: place, end: place, text: `\n${entry.text}\n` });
    }
  }
  return { edits, restored, removed };
}

/** Maps tests of the base to identical tests of the patch. */
function keepEqual(base: readonly Entry[], patch: readonly Entry[]): ReadonlyMap<Entry, Entry> {
  const free = new Map<string, Entry[]>();
  for (const entry of patch) {
    if (entry.isTest) free.set(entry.text, [...(free.get(entry.text) ?? []), entry]);
  }
  const kept = new Map<Entry, Entry>();
  for (const entry of base) {
    const same = entry.isTest ? free.get(entry.text)?.shift() : undefined;
    if (same !== undefined) kept.set(entry, same);
  }
  return kept;
}
