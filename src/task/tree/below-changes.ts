import { readdirSync } from 'node:fs';
import { systemCode } from '../../kernel/errors.ts';
import { pathBelow } from '../../kernel/path-text.ts';
import type { Tree, TreeEntry } from './walk.ts';

/** A tree under a layer of changes: what the layer has no entry for is as it was. */
export interface TreeBelow {
  readonly tree: Tree;
  /** The directory of the layer. It has an entry for everything that was changed, made or removed, and for the directories above. */
  readonly changes: string;
}

/** Tells which entries of a directory were not changed. Asks the layer only for names: what became of the others is for the walk to see. */
export class Unchanged {
  readonly #below: TreeBelow;
  readonly #children = new Map<string, string[]>();

  constructor(below: TreeBelow) {
    this.#below = below;
    for (const key of below.tree.entries.keys()) {
      const dir = key.slice(0, Math.max(key.lastIndexOf('/'), 0));
      const siblings = this.#children.get(dir);
      if (siblings === undefined) this.#children.set(dir, [key]);
      else siblings.push(key);
    }
  }

  /** The names in a directory that the layer has entries for. */
  changedIn(dir: Buffer): ReadonlySet<string> {
    const place = dir.length === 0 ? Buffer.from(this.#below.changes) : pathBelow(this.#below.changes, dir);
    try {
      return new Set(readdirSync(place, { encoding: 'latin1' }));
    } catch (error) {
      if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return new Set();
      throw error;
    }
  }

  /** An entry with all that lies below it, in the order of a walk. Empty: the tree below has no such entry. */
  *entriesAt(key: string): Generator<readonly [string, TreeEntry]> {
    const entry = this.#below.tree.entries.get(key);
    if (entry === undefined) return;
    yield [key, entry];
    for (const child of this.#children.get(key) ?? []) yield* this.entriesAt(child);
  }
}
