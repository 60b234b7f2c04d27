import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { chooseIdentity, giveTree, type UserIdentity } from '../../confine/processes/identity.ts';
import type { HarnessKey } from '../../evidence/bundle/keys.ts';
import { count, sha256Hex } from '../../evidence/schema/parts.ts';
import { makeDirs } from '../../evidence/storage/durable.ts';
import type { Clock } from '../../kernel/clock.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { CommittedFiles, LayFiles, TreeCache } from '../../task/git/tree-cache.ts';
import { commitBase } from '../../task/git/base-commit.ts';
import { type CommittedBase, openCommitted, writeIds } from '../../task/git/commit-over.ts';
import { makeGitDir } from '../../task/git/call.ts';
import { type Packed, packTree } from '../../task/tree/archive.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import { type Tree, walkTree } from '../../task/tree/walk.ts';
import { hasDigest } from '../cache/checked-file.ts';
import { fillOnce } from '../cache/fill.ts';
import { isAsMarked, marks, type Marks, takeMarks } from '../cache/marks.ts';
import { MAX_CACHE_BYTES, pruneCache } from '../cache/prune.ts';
import { readSignedManifest, signedBy, writeSignedManifest } from '../cache/signed-manifest.ts';
import { noteUse } from '../cache/uses.ts';
import { readWalk, writeWalk } from './walk-file.ts';

/** The files of a commit with all that every run works out of them. Nothing in it may be changed. */
export interface CachedBase {
  readonly dir: string;
  /** Whether the files are as they were laid; looking at all of them takes a while. Nothing may be started over them before. */
  readonly isSound: Promise<boolean>;
  /** The same, looked at now. */
  readonly lookAgain: () => Promise<boolean>;
  readonly archive: { readonly path: string; readonly sha256: string; readonly bytes: number };
  /** Whether another file holds the same bytes as the archive. */
  readonly isArchive: (path: string) => boolean;
  /** Holds `.git` with the one commit that a workspace has where no history was asked for. */
  readonly gitParent: string;
  /** Root only: whom its files belong to, and whom commands that work over them have to run as. */
  readonly owner: UserIdentity | null;
  /** What a walk of the files found when they were laid. */
  readonly tree: () => Tree;
  /** The same with the ids of its git objects. */
  readonly committed: () => CommittedBase | null;
}

/** Layout of an entry. */
const PARTS = { tree: 'tree', archive: 'base.tar', git: 'git', walk: 'walk', ids: 'ids' } as const;
const MANIFEST = 'entry.json';
/** Says where the archive was last found in a store of runs. */
const STORED_NOTE = 'stored.json';
const PURPOSE = 'seatrial base tree';

const manifest = z.strictObject({
  version: z.literal(3),
  key: sha256Hex,
  archive: z.strictObject({ sha256: sha256Hex, bytes: count }),
  marks,
  notes: z.array(z.string()),
});
type Manifest = z.infer<typeof manifest>;

/** Changes what an entry holds; older entries are then left to be pruned. */
const VERSION = 3;

/** Laying the largest repositories takes minutes. */
const PATIENCE_MS = 600_000;

export interface BaseCachePlace {
  /** Where the entries lie; made if it is missing. */
  readonly dir: string;
  readonly key: () => HarnessKey;
  readonly clock: Clock;
  /** `ahead`: entries are given before all their files were looked at, and `isSound` has to be waited for. */
  readonly checks: 'first' | 'ahead';
}

/** An archive of files, as bundles have it. */
export interface BaseArchive {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/** Smaller archives are unpacked in less time than an entry takes to make. */
const MIN_ARCHIVE_BYTES = 1024 * 1024;

/** The files of commits, by the ids of their git trees: laid once, checked at each use. */
export class BaseCache implements TreeCache {
  readonly #place: BaseCachePlace;
  readonly #used = new Map<string, CachedBase>();

  constructor(place: BaseCachePlace) {
    this.#place = place;
  }

  /** The entry whose files lie in this directory. */
  entryAt(filesDir: string): CachedBase | null {
    return this.#used.get(filesDir) ?? null;
  }

  async obtain(treeId: string, lay: LayFiles): Promise<CommittedFiles | null> {
    // Git does not compare objects with their ids when it reads them: whoever forged one would have it used for every repository.
    const found = await this.#obtain(keyOf(treeId), lay, ({ root }) => root === treeId);
    return found === null ? null : { dir: found.base.dir, notes: found.notes };
  }

  /** The files of an archive, whichever commit they are of. Null: they are not cached. */
  async obtainArchive(archive: BaseArchive): Promise<CachedBase | null> {
    const known = this.#keyOfArchive(archive.sha256);
    if (known === null && archive.bytes < MIN_ARCHIVE_BYTES) return null;
    const unpack = async (dir: string): Promise<{ readonly notes: readonly string[] }> => {
      unpackTree(archive.path, dir);
      return { notes: [] };
    };
    // Archives of other programs may hold the same files in other words.
    const isSame = ({ packed }: LaidFiles): boolean => packed.sha256 === archive.sha256;
    const found = await this.#obtain(known ?? keyOf(`archive ${archive.sha256}`), unpack, isSame);
    return found?.base.archive.sha256 === archive.sha256 ? found.base : null;
  }

  /** The entry whose manifest names an archive. Others have a look at whether it is to be believed. */
  #keyOfArchive(digest: string): string | null {
    const names = existsSync(this.#place.dir) ? readdirSync(this.#place.dir) : [];
    const isOf = (name: string): boolean => this.#readManifest(name)?.archive.sha256 === digest;
    return names.filter((name) => /^[0-9a-f]{64}$/.test(name)).find(isOf) ?? null;
  }

  #readManifest(key: string): Manifest | null {
    const file = join(this.#place.dir, key, MANIFEST);
    return readSignedManifest(file, PURPOSE, manifest, signedBy(this.#place.key()));
  }

  /** `isWanted`: whether what was laid is what the key stands for; nothing else is kept. */
  async #obtain(key: string, lay: LayFiles, isWanted: (laid: LaidFiles) => boolean): Promise<FoundBase | null> {
    const { dir, clock, checks } = this.#place;
    try {
      makeDirs(dir, 0o700);
      noteUse(dir, key);
      const seen = this.#find(key);
      const quick = checks === 'ahead' ? seen : await soundOne(seen);
      const filled =
        quick === null
          ? await fillOnce({
              dir,
              key,
              patienceMs: PATIENCE_MS,
              find: () => soundOne(this.#find(key)),
              make: (unfinished) => this.#make(unfinished, key, lay, isWanted),
            })
          : { entry: quick, cached: true };
      if (filled === null) return null;
      if (!filled.cached) await pruneCache(dirname(dir), { maxBytes: MAX_CACHE_BYTES }, clock.now());
      this.#used.set(filled.entry.base.dir, filled.entry.base);
      return filled.entry;
    } catch {
      // Only time is lost: whatever is wrong with the commit itself shows when it is copied without the cache.
      return null;
    }
  }

  #find(key: string): FoundBase | null {
    const at = join(this.#place.dir, key);
    const about = this.#readManifest(key);
    if (about === null || about.key !== key) return null;
    const isSound = checkMarks(at, about.marks);
    return describe(at, about, { owner: ownerOf(join(at, PARTS.tree)), key: this.#place.key, isSound });
  }

  async #make(
    unfinished: string,
    key: string,
    lay: LayFiles,
    isWanted: (laid: LaidFiles) => boolean,
  ): Promise<FoundBase | null> {
    const at = (name: string): string => join(unfinished, name);
    const laid = await lay(at(PARTS.tree));
    if (laid === null) return null;
    const packed = packTree(at(PARTS.tree), at(PARTS.archive));
    const tree = walkTree(at(PARTS.tree), { skipTopGit: true });
    // Links out of the tree, which every run looks at anew.
    if (tree.faults.length > 0) return null;
    const gitDir = join(at(PARTS.git), '.git');
    makeGitDir(gitDir);
    const committed = commitBase(gitDir, at(PARTS.tree), tree);
    if (!isWanted({ packed, root: committed.root })) return null;
    writeWalk(at(PARTS.walk), tree);
    writeFileSync(at(PARTS.ids), writeIds(committed));
    const owner = chooseIdentity();
    for (const name of [PARTS.tree, PARTS.git]) if (owner !== null) giveTree(at(name), owner);
    // Over the others, commands see them with these permissions, so they stay as they are; their directory keeps others out.
    for (const name of [PARTS.archive, PARTS.walk, PARTS.ids]) chmodSync(at(name), 0o444);
    const about: Manifest = {
      version: VERSION,
      key,
      archive: { sha256: packed.sha256, bytes: packed.bytes },
      marks: await takeMarks(unfinished, Object.values(PARTS), tree.entries.size),
      notes: [...laid.notes],
    };
    writeSignedManifest(at(MANIFEST), PURPOSE, about, this.#place.key());
    return describe(join(this.#place.dir, key), about, { owner, key: this.#place.key, isSound: Promise.resolve(true) });
  }
}

const keyOf = (id: string): string => sha256(`${PURPOSE} ${VERSION}\n${id}`);

/** What the files that were laid turned out to be. */
interface LaidFiles {
  readonly packed: Packed;
  /** The id of their git tree. */
  readonly root: string;
}

interface FoundBase {
  readonly base: CachedBase;
  readonly notes: readonly string[];
}

/** A changed entry can no longer be found, so that it is made again. */
async function checkMarks(at: string, known: Marks): Promise<boolean> {
  const isSound = await isAsMarked(at, Object.values(PARTS), known).catch(() => false);
  if (!isSound) forget(at);
  return isSound;
}

function forget(at: string): void {
  try {
    rmSync(join(at, MANIFEST), { force: true });
  } catch {
    // A cache that cannot be written: each use of the entry finds it changed.
  }
}

async function soundOne(found: FoundBase | null): Promise<FoundBase | null> {
  return found !== null && (await found.base.isSound) ? found : null;
}

function describe(
  at: string,
  { archive, marks: laid, notes }: Manifest,
  given: Pick<CachedBase, 'owner' | 'isSound'> & { readonly key: () => HarnessKey },
): FoundBase {
  const { key, ...checked } = given;
  const dir = join(at, PARTS.tree);
  const gitParent = join(at, PARTS.git);
  let walked: Tree | null = null;
  let ids: Buffer | null = null;
  const tree = (): Tree => (walked ??= readWalk(join(at, PARTS.walk)));
  const committed = (): CommittedBase | null =>
    openCommitted(join(gitParent, '.git'), dir, tree(), (ids ??= readFileSync(join(at, PARTS.ids))));
  const isArchive = (path: string): boolean => hasDigest(path, archive.sha256, join(at, STORED_NOTE), key());
  const inEntry = { path: join(at, PARTS.archive), ...archive };
  const lookAgain = (): Promise<boolean> => checkMarks(at, laid);
  const base = { ...checked, lookAgain, dir, archive: inEntry, isArchive, gitParent, tree, committed };
  return { base, notes };
}

/** Null: the caller, who is not root. */
function ownerOf(path: string): UserIdentity | null {
  const { uid, gid } = lstatSync(path);
  return process.getuid?.() === 0 ? { uid, gid } : null;
}
