/**
 * For sweeps whose rows show the same thing on many shapes: every fifth row, beginning with the first. `npm run test:all` plays all of
 * them.
 */
export function someOf<T>(rows: readonly T[]): readonly T[] {
  return process.env['SEATRIAL_TESTS'] === 'all' ? rows : rows.filter((_row, at) => at % 5 === 0);
}

/** The same for the runs of a property. */
export function someRuns(all: number): number {
  return process.env['SEATRIAL_TESTS'] === 'all' ? all : Math.ceil(all / 5);
}
