/** Does `times` pieces of work, at most `jobs` at once, and starts no more of them once the signal is given. Results in order of start. */
export async function inParallel<T>(times: number, jobs: number, signal: AbortSignal, work: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < times && (next === 0 || !signal.aborted)) {
      const index = next++;
      results[index] = await work(index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(jobs, times) }, worker));
  return results;
}
