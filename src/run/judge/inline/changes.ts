import type { Edit } from '../syntax/edits.ts';

/** The result of putting the base's inline tests into a patched file. */
export interface Changes {
  readonly edits: readonly Edit[];
  /** Tests of the base that the patch had changed or removed. */
  readonly restored: readonly string[];
  /** Tests of the patch that are not the base's. */
  readonly removed: readonly string[];
  /** Tests of the base that no longer have a place, because the patch removed what contained them. */
  readonly lost: readonly string[];
}

export const NO_CHANGES: Changes = { edits: [], restored: [], removed: [], lost: [] };

export function joinChanges(changes: readonly Changes[]): Changes {
  return {
    edits: changes.flatMap(({ edits }) => edits),
    restored: changes.flatMap(({ restored }) => restored),
    removed: changes.flatMap(({ removed }) => removed),
    lost: changes.flatMap(({ lost }) => lost),
  };
}
