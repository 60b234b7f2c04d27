import type { Clock } from '../../kernel/clock.ts';
import { findWatchdogs, type Guarded } from '../live/watchdogs.ts';

const EVERY_MS = 50;

/** What was seen of watchdogs while a cutover ran. */
export interface Sampled {
  readonly samples: number;
  /** The most that were alive at the same time. */
  readonly most: number;
  /** Time without any, between the last sight of one and the first sight of another. Null: none was missing, or none came. */
  readonly gapMs: number | null;
}

export interface Sampler {
  /** Looks once more and ends. */
  end(): Sampled;
}

/** Counts the watchdogs of a prefix again and again. */
export function sampleWatchdogs(guarded: Guarded, clock: Clock): Sampler {
  let samples = 0;
  let most = 0;
  let seenAt: number | null = null;
  let missing = false;
  let gapMs: number | null = null;
  const look = (): void => {
    const count = findWatchdogs(guarded).length;
    const now = clock.mono();
    samples += 1;
    most = Math.max(most, count);
    if (count === 0) missing = missing || seenAt !== null;
    else {
      if (missing && seenAt !== null) gapMs = now - seenAt;
      missing = false;
      seenAt = now;
    }
  };
  look();
  const timer = setInterval(look, EVERY_MS);
  return {
    end: () => {
      clearInterval(timer);
      look();
      return { samples, most, gapMs };
    },
  };
}
