/**
 * Works through the items, at most `jobs` at once, and starts no more of them once the signal is given or one has failed. Results in
 * order of the items, without those that were not started. What failed is thrown when nothing is under way any more.
 */
export async function inParallel<T, R>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const failures: unknown[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = signal.aborted ? undefined : waiting.shift()) {
      const [index, item] = next;
      try {
        results[index] = await work(item);
      } catch (error) {
        failures.push(error);
        waiting.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  if (failures.length > 0) throw failures[0];
  return results.filter(() => true);
}
