import { readdirSync } from 'node:fs';
import { systemCode } from '../../kernel/errors.ts';
import { pathBelow } from '../../kernel/path-text.ts';

/** A tree under layers of changes: what no layer has an entry for is as it was. */
export interface TreeBelow<Entry> {
  /** By path as latin1. */
  readonly entries: ReadonlyMap<string, Entry>;
  /** The directories of the layers. They have an entry for everything that was changed, made or removed, and for the directories above. */
  readonly changes: readonly string[];
}

/** Tells which entries of a directory were not changed. Asks the layers only for names: what became of the others is for the walk to see. */
export class Unchanged<Entry> {
  readonly #below: TreeBelow<Entry>;
  readonly #children = new Map<string, string[]>();

  constructor(below: TreeBelow<Entry>) {
    this.#below = below;
    for (const key of below.entries.keys()) {
      const dir = key.slice(0, Math.max(key.lastIndexOf('/'), 0));
      const siblings = this.#children.get(dir);
      if (siblings === undefined) this.#children.set(dir, [key]);
      else siblings.push(key);
    }
  }

  /** The names in a directory that a layer has entries for, as latin1. */
  changedIn(dir: Buffer): ReadonlySet<string> {
    return new Set(this.#below.changes.flatMap((layer) => namesInLayer(layer, dir)));
  }

  /** Visits an entry and all that lies below it, in the order of a walk. Nothing, if the tree below has no such entry. */
  visitAt(key: string, visit: (key: string, entry: Entry) => void): void {
    const entry = this.#below.entries.get(key);
    if (entry === undefined) return;
    visit(key, entry);
    for (const child of this.#children.get(key) ?? []) this.visitAt(child, visit);
  }
}

/** As latin1; none, where the layer has no such directory. */
export function namesInLayer(layer: string, dir: Buffer): string[] {
  try {
    return readdirSync(dir.length === 0 ? layer : pathBelow(layer, dir), { encoding: 'latin1' });
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR') return [];
    throw error;
  }
}
