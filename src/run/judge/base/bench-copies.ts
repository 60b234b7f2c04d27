import { mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Overlay, OverlaySpace } from '../../../confine/overlay/space.ts';
import type { Confinement } from '../../../confine/types.ts';
import { SeatrialError } from '../../../kernel/errors.ts';
import { commitSharing, type CommittedTree } from '../../../task/git/base-commit.ts';
import { type CommittedBase, commitOver } from '../../../task/git/commit-over.ts';
import { makeGitDir } from '../../../task/git/call.ts';
import { ReusableCopy } from '../../../task/tree/reusable-copy.ts';
import { removeTree } from '../../../evidence/storage/remove-tree.ts';
import { walkDerived } from '../../trees/derive.ts';
import { settleCopy, settleOverlay } from './settle-index.ts';

/** A copy of a tree for one run of tests, with a git directory that has the tree as its one commit: tests may call git. */
export interface BenchCopy {
  readonly dir: string;
  /** Makes it as it was laid first. */
  renew(): Promise<void>;
  /** From here on others may write to it. */
  startUse(): void;
}

export interface CopySources {
  readonly scratch: string;
  readonly confinement: Confinement;
  /** The base with its commit, in a cache where nothing may be changed. */
  readonly cachedBase?: CommittedBase | undefined;
}

const MAX_DISK_INDEX_BYTES = 1024 * 1024;

/** Copies of the trees of a change, one for each concurrent run. */
export class BenchCopies {
  readonly #sources: CopySources;
  /** Git directories of copies, by their trees. */
  readonly #repositories = new Map<string, CommittedTree>();
  /** The overlay layers that contain `.git`, by tree; the first on top. */
  readonly #repositoryLayers = new Map<string, Promise<readonly string[]>>();
  /** Copies that no run is using, with their trees; the most recently used is last. */
  #free: readonly { readonly tree: string; readonly copy: ReusableCopy }[] = [];
  #made = 0;
  readonly #given = new Set<string>();

  constructor(sources: CopySources) {
    this.#sources = sources;
  }

  /** `isTimed`: access times are needed, which overlays do not show. */
  async take(tree: string, isTimed: boolean): Promise<BenchCopy> {
    const { space } = this.#sources.confinement;
    const layers = space?.layersOf(tree) ?? null;
    if (space === null || layers === null || isTimed) return this.#takeReusable(tree);
    for (const layer of layers) this.#giveLayer(layer);
    const copy = new OverlayCopy(space, this.#place(), [...(await this.#layersOf(space, tree)), ...layers]);
    await copy.mount();
    return copy;
  }

  /** Makes the harness's changes to a tree writable for tests. Done once, before anything is mounted over it. */
  #giveLayer(layer: string): void {
    const { confinement } = this.#sources;
    const overlay = confinement.space?.overlayOf(layer) ?? null;
    if (overlay === null || this.#given.has(layer)) return;
    this.#given.add(layer);
    confinement.give(overlay.view);
  }

  async giveBack(tree: string, copy: BenchCopy): Promise<void> {
    if (copy instanceof ReusableCopy) this.#free = [...this.#free, { tree, copy }];
    if (copy instanceof OverlayCopy) await copy.remove();
  }

  /** A copy that no run is using. The trees of a change share most files, so converting a copy of another tree rewrites few files. */
  #takeReusable(tree: string): ReusableCopy {
    const free = this.#free.findLast((one) => one.tree === tree) ?? this.#free.at(0);
    this.#free = this.#free.filter((one) => one !== free);
    if (free?.tree === tree) return free.copy;
    const others = new Map([['.git', this.#gitDirOf(tree)]]);
    if (free !== undefined) {
      free.copy.turnTo(tree, others);
      return free.copy;
    }
    const dir = this.#place();
    mkdirSync(dir);
    const { confinement } = this.#sources;
    return new ReusableCopy(dir, tree, others, (path) => confinement.give(path));
  }

  #place(): string {
    this.#made += 1;
    return join(this.#sources.scratch, `copy-${this.#made}`);
  }

  /** Made once for a tree. */
  #gitDirOf(tree: string): string {
    const { cachedBase } = this.#sources;
    if (cachedBase?.dir === tree) return cachedBase.gitDir;
    const known = this.#repositories.get(tree);
    if (known !== undefined) return known.gitDir;
    const [earlier = null] = this.#repositories.values();
    const made = commitSharing(join(this.#makeRepository(), '.git'), tree, earlier);
    this.#repositories.set(tree, made);
    return made.gitDir;
  }

  /** The same for overlays. */
  #layersOf(space: OverlaySpace, tree: string): Promise<readonly string[]> {
    const { cachedBase } = this.#sources;
    const known = this.#repositoryLayers.get(tree);
    if (known !== undefined) return known;
    const made =
      cachedBase === undefined || cachedBase.dir === tree
        ? Promise.resolve([dirname(this.#gitDirOf(tree))])
        : this.#makeLayers(space, tree, cachedBase);
    this.#repositoryLayers.set(tree, made);
    return made;
  }

  async #makeLayers(space: OverlaySpace, tree: string, base: CommittedBase): Promise<readonly string[]> {
    const { confinement } = this.#sources;
    const parent = this.#nameRepository();
    // Git cannot store an index as a difference to another, so it is as large as the tree; large ones stay in memory.
    const isLarge = statSync(join(base.gitDir, 'index')).size > MAX_DISK_INDEX_BYTES;
    const view = (isLarge ? await space.mountMemory(parent) : null) ?? parent;
    makeGitDir(join(view, '.git'));
    commitOver(join(view, '.git'), { dir: tree, tree: walkDerived(confinement, tree, base) }, base);
    confinement.give(view);
    return [parent, dirname(base.gitDir)];
  }

  #makeRepository(): string {
    const parent = this.#nameRepository();
    makeGitDir(join(parent, '.git'));
    return parent;
  }

  #nameRepository(): string {
    return join(this.#sources.scratch, `git-${this.#repositories.size + this.#repositoryLayers.size + 1}`);
  }
}

/** For tests that are watched. */
export const settleWatched = (copy: BenchCopy): Promise<void> =>
  copy instanceof OverlayCopy ? copy.settleIndex() : settleCopy(copy.dir);

/** Mounted for one run and removed with everything that the run wrote. */
class OverlayCopy implements BenchCopy {
  readonly #space: OverlaySpace;
  readonly #place: string;
  readonly #layers: readonly string[];
  #overlay: Overlay | null = null;

  constructor(space: OverlaySpace, place: string, layers: readonly string[]) {
    this.#space = space;
    this.#place = place;
    this.#layers = layers;
  }

  get dir(): string {
    return this.#overlay?.view ?? this.#place;
  }

  async mount(): Promise<void> {
    this.#overlay = await this.#space.mount(this.#place, this.#layers);
    if (this.#overlay === null)
      throw new SeatrialError('blocked', `no overlay can be mounted at ${this.#place}; use --workspace copy`);
  }

  async settleIndex(): Promise<void> {
    if (this.#overlay !== null) await settleOverlay(this.#space, this.#overlay);
  }

  async renew(): Promise<void> {}

  startUse(): void {}

  async remove(): Promise<void> {
    if (this.#overlay !== null) await this.#space.unmount(this.#overlay);
    await removeTree(this.#place);
  }
}
