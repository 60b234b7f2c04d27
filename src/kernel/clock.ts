/** The only source of time, so that tests can pass any time to deciding code. */
export interface Clock {
  /** Wall-clock time. */
  now(): Date;
  /** Monotonic milliseconds. */
  mono(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  mono: () => performance.now(),
};

/** `20261115T234100Z`, the timestamp format in run directory names. */
export function compactStamp(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}
