import { readFileSync } from 'node:fs';
import { leafFinder, leafKeys, linkRows } from '../../../../task/tree/layered/search.ts';
import { type Tree, walkTree } from '../../../../task/tree/walk.ts';
import type { BaseTree, TreeIndex } from '../../deciding/facts.ts';
import { keyOfName, nameOfKey, pathName } from '../../deciding/path-name.ts';

/** Larger files are not read to find out what they are. */
const MAX_READ_BYTES = 1024 * 1024;

/** A tree on disk as `deciding/` and `manifests/` look at it. */
export interface ReadableTree extends BaseTree {
  readonly dir: string;
  readonly walked: Tree;
  readonly index: TreeIndex;
}

/** `walked`: what a walk of it found, if there was one. Large trees are asked for single paths more often than for all of them. */
export function readTree(dir: string, walked: Tree = walkTree(dir, { skipTopGit: true })): ReadableTree {
  return new TreeOnDisk(dir, walked);
}

class TreeOnDisk implements ReadableTree {
  readonly dir: string;
  readonly walked: Tree;
  readonly #texts = new Map<string, string | null>();
  #paths: readonly string[] | null = null;
  #links: ReadonlyMap<string, string> | null = null;
  #holdsLeaf: ((dir: string) => boolean) | null = null;

  constructor(dir: string, walked: Tree) {
    this.dir = dir;
    this.walked = walked;
  }

  get paths(): readonly string[] {
    return (this.#paths ??= leafKeys(this.walked.entries).map(nameOfKey));
  }

  get links(): ReadonlyMap<string, string> {
    return (this.#links ??= new Map(
      linkRows(this.walked.entries).flatMap(([key, entry]) =>
        entry.kind === 'link' ? [[nameOfKey(key), pathName(entry.target)]] : [],
      ),
    ));
  }

  get index(): TreeIndex {
    return {
      files: {
        has: (path) => (this.walked.entries.get(keyOfName(path))?.kind ?? 'dir') !== 'dir',
        [Symbol.iterator]: () => this.paths[Symbol.iterator](),
      },
      dirs: { has: (path) => path === '' || (this.#holdsLeaf ??= leafFinder(this.walked.entries))(keyOfName(path)) },
      links: this.links,
    };
  }

  readonly read = (path: string): string | null => {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const file = this.walked.entries.get(keyOfName(path));
    const text = file?.kind !== 'file' || file.bytes > MAX_READ_BYTES ? null : readText(this.dir, file.path);
    this.#texts.set(path, text);
    return text;
  };
}

const readText = (dir: string, path: Buffer): string =>
  readFileSync(Buffer.concat([Buffer.from(`${dir}/`), path])).toString('utf8');
