/** Works through the items, at most `jobs` at once, and starts no more of them once the signal is given. Results in order of the items. */
export async function inParallel<T, R>(
  items: readonly T[],
  jobs: number,
  signal: AbortSignal,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const waiting = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = signal.aborted ? undefined : waiting.shift()) {
      const [index, item] = next;
      results[index] = await work(item);
    }
  };
  await Promise.all(Array.from({ length: jobs }, worker));
  return results.filter(() => true);
}
