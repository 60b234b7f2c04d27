import pMap, { pMapSkip } from 'p-map';

/**
 * Runs `work` on the items, at most `jobs` at a time. Starts no more of them once the signal is given or one has failed; those under way
 * are waited for. Returns the results in the order of the items, without those that were not started; throws the first failure.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const failures: unknown[] = [];
  const results = await pMap(
    items,
    async (item) => {
      if (signal.aborted || failures.length > 0) return pMapSkip;
      try {
        return await work(item);
      } catch (error) {
        failures.push(error);
        return pMapSkip;
      }
    },
    { concurrency: jobs },
  );
  if (failures.length > 0) throw failures[0];
  return results;
}
