import { lstatSync } from 'node:fs';
import { namesInLayer, type TreeBelow } from '../below-changes.ts';
import {
  chunkBuffer,
  DOT_GIT,
  linksOut,
  namesIn,
  readLeaf,
  repositoryFault,
  type Tree,
  type TreeEntry,
  type TreeFault,
  unreadableEntry,
  walkTree,
  type WalkOptions,
} from '../walk.ts';
import { toOrder } from './entry-table.ts';
import { LayeredEntries } from './layered-entries.ts';
import { linkRows, rowsBelow } from './search.ts';

/** Walks a tree that may be an overlay over a walked one. Where that is a table with changes, this costs what the change costs. */
export function walkOver(root: string, options: WalkOptions): Tree {
  const { over } = options;
  if (over === undefined || !(over.entries instanceof LayeredEntries) || options.installed === true)
    return walkTree(root, options);
  try {
    return new ChangesWalk(root, options, over.entries, over.changes).walk();
  } catch (error) {
    if (error instanceof OverLimit) return walkTree(root, options);
    throw error;
  }
}

/** Which entries are still told of a tree that is too large only a walk in its order finds out. */
class OverLimit extends Error {}

const ROOT = Buffer.alloc(0);

class ChangesWalk {
  readonly #root: Buffer;
  readonly #options: WalkOptions;
  readonly #below: LayeredEntries;
  readonly #layers: TreeBelow<TreeEntry>['changes'];
  readonly #changes = new Map<string, TreeEntry | null>();
  readonly #faults: TreeFault[] = [];
  readonly #buffer = chunkBuffer();
  readonly #maxBytes: number;
  #bytes: number;
  #namesLeft: number;

  constructor(root: string, options: WalkOptions, below: LayeredEntries, layers: readonly string[]) {
    const { maxBytes = Infinity, maxEntries = Infinity } = options;
    this.#root = Buffer.from(`${root}/`);
    this.#options = options;
    this.#below = below;
    this.#layers = layers;
    this.#maxBytes = maxBytes;
    this.#namesLeft = maxEntries - below.size;
    this.#bytes = below.table.bytes;
    for (const [key, entry] of below.changes) {
      const at = below.table.find(key);
      this.#bytes += bytesOf(entry) - (at === null ? 0 : bytesOf(below.table.entryAt(at)));
    }
  }

  walk(): Tree {
    this.#attempt(ROOT, () => this.#visitDirectory(ROOT));
    this.#count(0);
    if (this.#bytes > this.#maxBytes) throw new OverLimit();
    const entries = this.#below.with(this.#changes);
    const links = linkRows(entries).toSorted(([a], [b]) => (toOrder(a) < toOrder(b) ? -1 : 1));
    const found = links.flatMap(([, entry]) => (entry.kind === 'link' ? [entry] : []));
    return { entries, faults: [...this.#faults, ...linksOut(found, entries, this.#options.seenAs)] };
  }

  #visitDirectory(dir: Buffer): void {
    const known = this.#childrenOf(dir.toString('latin1'));
    let names: Buffer[];
    try {
      names = namesIn(Buffer.concat([this.#root, dir]), this.#namesLeft + this.#below.size);
    } catch (error) {
      for (const key of known) this.#drop(key);
      throw error;
    }
    const changed = new Set(this.#layers.flatMap((layer) => namesInLayer(layer, dir)));
    for (const name of names.sort(Buffer.compare)) {
      const path = dir.length === 0 ? name : Buffer.concat([dir, Buffer.from('/'), name]);
      const key = path.toString('latin1');
      const isKnown = known.delete(key);
      if (!isKnown) this.#count(1);
      if (name.equals(DOT_GIT)) this.#faults.push(...repositoryFault(path, this.#options));
      else if (!isKnown || changed.has(name.toString('latin1'))) this.#attempt(path, () => this.#visit(path, key));
    }
    for (const key of known) this.#drop(key);
  }

  #visit(path: Buffer, key: string): void {
    const absolute = Buffer.concat([this.#root, path]);
    try {
      const stats = lstatSync(absolute);
      if (stats.isDirectory()) this.#set(key, { kind: 'dir', path, ctimeMs: stats.ctimeMs });
      else {
        this.#drop(key);
        if (stats.isFile() && this.#bytes + stats.size > this.#maxBytes) throw new OverLimit();
        const found = readLeaf(path, stats, absolute, () => null, this.#buffer);
        if ('reason' in found) this.#faults.push(found);
        else this.#set(key, found);
        return;
      }
    } catch (error) {
      this.#drop(key);
      throw error;
    }
    this.#visitDirectory(path);
  }

  /** What the tree below has in a directory. */
  #childrenOf(dir: string): Set<string> {
    const { table, changes } = this.#below;
    const keys = new Set<string>();
    const at = dir === '' ? null : table.find(dir);
    if (dir === '' || at !== null)
      for (const child of table.children(at))
        if (changes.get(table.keyAt(child)) !== null) keys.add(table.keyAt(child));
    for (const [key, entry] of changes)
      if (entry !== null && key.slice(0, Math.max(key.lastIndexOf('/'), 0)) === dir) keys.add(key);
    return keys;
  }

  #set(key: string, entry: TreeEntry): void {
    this.#bytes += bytesOf(entry) - bytesOf(this.#now(key));
    this.#changes.set(key, entry);
  }

  /** The entry and all below it. */
  #drop(key: string): void {
    for (const [one] of rowsBelow(this.#below, key)) {
      this.#bytes -= bytesOf(this.#now(one));
      this.#changes.set(one, null);
    }
    this.#changes.set(key, null);
  }

  #now(key: string): TreeEntry | null {
    const changed = this.#changes.get(key);
    return changed === undefined ? (this.#below.get(key) ?? null) : changed;
  }

  #count(names: number): void {
    this.#namesLeft -= names;
    if (this.#namesLeft < 0) throw new OverLimit();
  }

  #attempt(path: Buffer, work: () => void): void {
    try {
      work();
    } catch (error) {
      if (error instanceof OverLimit) throw error;
      this.#faults.push(unreadableEntry(path, error));
    }
  }
}

const bytesOf = (entry: TreeEntry | null): number => (entry?.kind === 'file' ? entry.bytes : 0);
