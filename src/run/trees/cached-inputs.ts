import { join } from 'node:path';
import type { TakenRepository } from '../../task/own-repository.ts';
import { unpackTree } from '../../task/tree/unpack.ts';
import type { BaseCache } from './base-cache.ts';
import type { Archives, InputSources } from './inputs.ts';

/** The files of a repository as a run's inputs: as they lie in the cache, or copied for this run. */
export function inputsOfRepository(
  { filesDir, history }: Pick<TakenRepository, 'filesDir' | 'history'>,
  testsDir: string | null,
  cache: BaseCache | null,
): InputSources {
  const cached = cache?.entryAt(filesDir) ?? null;
  return {
    filesDir,
    testsDir,
    ...(cached === null ? { disposable: true } : { cached }),
    ...(history === null ? {} : { history }),
  };
}

/** The same from the archives of a bundle. `scratch`: where they are unpacked. */
export async function inputsOfBundle(
  { base, tests }: Archives,
  scratch: string,
  cache: BaseCache | null,
): Promise<InputSources> {
  const testsDir = tests === null ? null : join(scratch, 'tests');
  if (tests !== null && testsDir !== null) unpackTree(tests.path, testsDir);
  const cached = (await cache?.obtainArchive(base)) ?? null;
  if (cached !== null) return { filesDir: cached.dir, testsDir, cached };
  const filesDir = join(scratch, 'files');
  unpackTree(base.path, filesDir);
  return { filesDir, testsDir };
}
