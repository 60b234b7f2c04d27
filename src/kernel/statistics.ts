/** The normal quantile of a two-sided interval of 95 %. */
const Z95 = 1.959963984540054;

export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Wilson score interval (95 %) of a rate. Nothing is known without trials: 0 to 1. */
export function wilsonInterval(passed: number, trials: number): Interval {
  if (trials === 0) return { low: 0, high: 1 };
  const rate = passed / trials;
  const z2 = Z95 * Z95;
  const middle = rate + z2 / (2 * trials);
  const half = Z95 * Math.sqrt((rate * (1 - rate)) / trials + z2 / (4 * trials * trials));
  const scale = 1 + z2 / trials;
  return {
    low: passed === 0 ? 0 : Math.max(0, (middle - half) / scale),
    high: passed === trials ? 1 : Math.min(1, (middle + half) / scale),
  };
}

/** pass^k: the probability that k runs drawn from these all passed. Null: there are fewer than k. */
export function passAllOf(passed: number, trials: number, k: number): number | null {
  if (trials < k) return null;
  let probability = 1;
  for (let drawn = 0; drawn < k; drawn += 1) probability *= Math.max(0, passed - drawn) / (trials - drawn);
  return probability;
}

export function median(values: readonly number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[Math.floor(sorted.length / 2)];
  const lower = sorted[Math.ceil(sorted.length / 2) - 1];
  return upper === undefined || lower === undefined ? null : (lower + upper) / 2;
}

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}
