import type { RunRequest } from '../request.ts';
import { inParallel } from '../parallel.ts';
import { compareRow, type Row, type RowResult } from './row.ts';

/** Plays every row and compares the results, in the order of the rows. */
export async function playRows(
  rows: readonly Row[],
  request: RunRequest,
  jobs: number,
  onRow: (result: RowResult) => void,
): Promise<RowResult[]> {
  const slowFirst = rows.toSorted((a, b) => Number(b.slow ?? false) - Number(a.slow ?? false));
  const results = await inParallel(slowFirst, jobs, request.signal, async (row) => {
    const result = compareRow(row, await row.play(request));
    onRow(result);
    return { row, result };
  });
  return rows.flatMap((row) => results.filter((one) => one.row === row).map(({ result }) => result));
}
