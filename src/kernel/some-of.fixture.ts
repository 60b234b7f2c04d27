/** `npm run test:all` plays the long form of every test. */
export const PLAYS_ALL = process.env['SEATRIAL_TESTS'] === 'all';

/** For sweeps whose rows show the same thing on many shapes: every fifth row, beginning with the first. */
export function someOf<T>(rows: readonly T[]): readonly T[] {
  return PLAYS_ALL ? rows : rows.filter((_row, at) => at % 5 === 0);
}

/** The same for the runs of a property. */
export function someRuns(all: number): number {
  return PLAYS_ALL ? all : Math.ceil(all / 5);
}
