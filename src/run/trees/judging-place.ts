import { join } from 'node:path';
import type { Confinement } from '../../confine/types.ts';
import type { CommittedBase } from '../../task/git/commit-over.ts';
import { copyWritable } from '../../task/tree/copy.ts';
import type { ImageTerms } from '../../task/image/terms.ts';
import { openConfinementFor } from '../confinement.ts';
import type { RunEnvironment } from '../request.ts';
import type { CachedBase } from './base-cache.ts';
import { deriveTree } from './derive.ts';
import { overlayIn } from './overlay.ts';

export type JudgingEnvironment = Pick<RunEnvironment, 'confine' | 'covered' | 'readOnly' | 'tools' | 'workspace'>;

/** The two trees of a change that is judged outside of a run, and the confinement to judge them in. */
export interface JudgingPlace {
  readonly confinement: Confinement;
  /** Never to be changed. */
  readonly baseDir: string;
  /** The same files, for the change to be laid into. */
  readonly patchedDir: string;
  /** The base with its commit in the cache, where the trees are laid over that. */
  readonly cachedBase?: CommittedBase;
  /** To be called before the scratch directory is removed. */
  close(): void;
}

export interface JudgedFiles {
  /** Null: they are not cached. */
  readonly cached: CachedBase | null;
  /** Lays them into a directory that is not there yet. */
  readonly lay: (dir: string) => Promise<unknown> | void;
  readonly image?: ImageTerms | undefined;
}

/** `scratch`: of the command that judges. */
export async function openJudgingPlace(
  environment: JudgingEnvironment,
  scratch: string,
  { cached, lay, image }: JudgedFiles,
): Promise<JudgingPlace> {
  const place = join(scratch, 'pristine');
  const overlaid = await overlayIn(environment, cached, { place, withGit: false });
  const close = (): void => overlaid?.space.close();
  try {
    const confinement = await openConfinementFor(environment, scratch, environment.covered, image, overlaid);
    if (cached !== null && overlaid !== null) {
      const cachedBase = cached.committed();
      const trees = { baseDir: cached.dir, patchedDir: overlaid.overlay.view };
      return { confinement, ...trees, ...(cachedBase === null ? {} : { cachedBase }), close };
    }
    const baseDir = join(scratch, 'base');
    if (cached === null) await lay(baseDir);
    else copyWritable(cached.dir, baseDir);
    return { confinement, baseDir, patchedDir: await deriveTree(confinement, baseDir, place), close };
  } catch (error) {
    close();
    throw error;
  }
}
