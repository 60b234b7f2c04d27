/** Time enters through here alone, so that deciding code can be handed any moment. */
export interface Clock {
  /** Wall-clock time. */
  now(): Date;
  /** Milliseconds that only ever grow. */
  mono(): number;
}

export const systemClock: Clock = {
  now: () => new Date(),
  mono: () => performance.now(),
};

/** `20261115T234100Z`: how run directories name a moment. */
export function compactStamp(time: Date): string {
  return time.toISOString().replace(/[-:]|\.\d+/g, '');
}
