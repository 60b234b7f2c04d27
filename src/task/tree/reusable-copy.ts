import { copyFileSync, lstatSync, mkdirSync, readlinkSync, renameSync, symlinkSync } from 'node:fs';
import { removeTree } from '../../evidence/storage/remove-tree.ts';
import { pathText } from '../../kernel/path-text.ts';
import { areOneFile } from './same-file.ts';
import { namesIn } from './walk.ts';

/** One entry of the copy: where it comes from, and how it was when it was laid. */
interface Entry {
  readonly source: Buffer;
  readonly kind: 'dir' | 'file' | 'link';
  /** By name, as latin1; empty for anything but a directory. */
  readonly children: Map<string, Entry>;
  /** Null: laid, moved or written by us since. */
  mark: Mark | null;
}

/** Differs for an entry that was written, replaced or given away since: no program can set a change time. */
interface Mark {
  readonly inode: bigint;
  readonly changedNs: bigint;
}

/** Longer than a tick of any file system's clock: changes within one tick cannot be told apart. */
const TICK_NS = 20_000_000n;

/**
 * A copy of a tree for commands that may write anything to it, used again and again. Before each use it is made as it was: what is
 * as it was laid stays, all else is removed and laid anew, so that a use costs a look at every entry instead of a copy of its bytes.
 * A directory that was written is itself made anew, because more can be left on it than entries, such as default permissions.
 */
export class ReusableCopy {
  readonly dir: string;
  #root: Entry;
  readonly #aside: string;
  readonly #give: (path: string) => void;
  #usedFromNs: bigint | null = null;
  #movedAside = 0;

  /**
   * `parent` must exist and be this copy's own. `others`: directories to lay into the tree, by their names. The sources must not
   * change. `give` makes a tree writable for those who use the copy, and leaves alone what already is.
   */
  constructor(parent: string, tree: string, others: ReadonlyMap<string, string>, give: (path: string) => void) {
    this.dir = `${parent}/tree`;
    this.#aside = `${parent}/aside`;
    this.#give = give;
    this.#root = readSources(tree, others);
  }

  /**
   * From the next renewal on, a copy of another tree. Files that both trees share by hard links are not copied again, so both must be
   * ones in which files are replaced and never written into.
   */
  turnTo(tree: string, others: ReadonlyMap<string, string>): void {
    const next = readSources(tree, others);
    takeMarks(next, this.#root);
    this.#root = next;
  }

  /** Makes the copy as it was laid first. No process that could write to it may be left. */
  async renew(): Promise<void> {
    const root = Buffer.from(this.dir);
    mkdirSync(this.#aside);
    try {
      if (this.#usedFromNs === null) this.#lay(this.#root, root);
      else this.#restore(this.#root, root, root);
    } catch (error) {
      if (this.#usedFromNs === null) throw error;
      // Whoever used it may have closed directories, even to their owner.
      await removeTree(this.dir);
      this.#lay(this.#root, root);
    }
    await removeTree(this.#aside);
    this.#give(this.dir);
    markNew(this.#root, root);
    this.startUse();
  }

  /** From here on others may write to it. Called as late as possible, it lets more stay at the next renewal. */
  startUse(): void {
    this.#usedFromNs = BigInt(Date.now()) * 1_000_000n;
  }

  /**
   * Leaves the entry that is at `from` at `to`: the same place, or one in a directory that is made anew. Gives whether anything was put
   * there.
   */
  #restore(entry: Entry, from: Buffer, to: Buffer): boolean {
    const moves = from !== to;
    const isAsLaid = this.#isAsLaid(entry, from);
    if (entry.kind !== 'dir' && !isAsLaid) {
      if (!moves) this.#moveAside(from);
      this.#lay(entry, to);
      return true;
    }
    if (entry.kind !== 'dir' || isAsLaid) {
      const written = [...entry.children].filter(([name, child]) => {
        const place = below(from, name);
        return this.#restore(child, place, place);
      });
      if (moves) renameSync(from, to);
      if (moves || written.length > 0) entry.mark = null;
      return moves;
    }
    const isDir = lstatSync(from, { throwIfNoEntry: false })?.isDirectory() === true;
    const fresh = this.#nextAside();
    mkdirSync(fresh);
    for (const [name, child] of entry.children) {
      const place = below(fresh, name);
      if (isDir) this.#restore(child, below(from, name), place);
      else this.#lay(child, place);
    }
    if (!moves) this.#moveAside(from);
    renameSync(fresh, to);
    entry.mark = null;
    return true;
  }

  #isAsLaid({ mark }: Entry, place: Buffer): boolean {
    const stat = lstatSync(place, { bigint: true, throwIfNoEntry: false });
    if (stat === undefined || mark === null || this.#usedFromNs === null) return false;
    const isSame = stat.ino === mark.inode && stat.ctimeNs === mark.changedNs;
    return isSame && mark.changedNs < this.#usedFromNs - TICK_NS;
  }

  #moveAside(place: Buffer): void {
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) renameSync(place, this.#nextAside());
  }

  #nextAside(): Buffer {
    this.#movedAside += 1;
    return Buffer.from(`${this.#aside}/${this.#movedAside}`);
  }

  #lay(entry: Entry, place: Buffer): void {
    entry.mark = null;
    switch (entry.kind) {
      case 'dir':
        mkdirSync(place);
        for (const [name, child] of entry.children) this.#lay(child, below(place, name));
        return;
      case 'link':
        return symlinkSync(readlinkSync(entry.source, { encoding: 'buffer' }), place);
      case 'file':
        return copyFileSync(entry.source, place);
      default:
        entry.kind satisfies never;
    }
  }
}

const below = (dir: Buffer, name: string): Buffer => Buffer.concat([dir, Buffer.from(`/${name}`, 'latin1')]);

function readSource(source: Buffer): Entry {
  const stat = lstatSync(source);
  const kind = stat.isDirectory() ? 'dir' : stat.isSymbolicLink() ? 'link' : 'file';
  if (kind === 'file' && !stat.isFile()) throw new Error(`${pathText(source)} is not a file, directory or link`);
  const names = kind === 'dir' ? namesIn(source, Number.MAX_SAFE_INTEGER).map((name) => name.toString('latin1')) : [];
  return { source, kind, children: new Map(names.map((name) => [name, readSource(below(source, name))])), mark: null };
}

function readSources(tree: string, others: ReadonlyMap<string, string>): Entry {
  const root = readSource(Buffer.from(tree));
  for (const [name, dir] of others) root.children.set(name, readSource(Buffer.from(dir)));
  return root;
}

/** What is laid for one source serves for another where both are the same. A directory does only if it has the same names. */
function takeMarks(next: Entry, laid: Entry): void {
  if (next.kind !== laid.kind) return;
  for (const [name, child] of next.children) {
    const before = laid.children.get(name);
    if (before !== undefined) takeMarks(child, before);
  }
  if (isSameSource(next, laid)) next.mark = laid.mark;
}

function isSameSource(next: Entry, laid: Entry): boolean {
  switch (next.kind) {
    case 'dir':
      return (
        next.children.size === laid.children.size && [...next.children.keys()].every((name) => laid.children.has(name))
      );
    case 'link':
      return readlinkSync(next.source, { encoding: 'buffer' }).equals(
        readlinkSync(laid.source, { encoding: 'buffer' }),
      );
    case 'file':
      return areOneFile(next.source, laid.source);
    default:
      return next.kind satisfies never;
  }
}

function markNew(entry: Entry, place: Buffer): void {
  if (entry.mark === null) {
    const { ino, ctimeNs } = lstatSync(place, { bigint: true });
    entry.mark = { inode: ino, changedNs: ctimeNs };
  }
  for (const [name, child] of entry.children) markNew(child, below(place, name));
}
