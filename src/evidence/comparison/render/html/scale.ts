/** Maps values to positions on an axis. */
export interface Scale {
  readonly at: (value: number) => number;
  readonly ticks: readonly number[];
}

/** Room for the label of a tick. */
const TICK_WIDTH = 52;
const STEPS = [1, 2, 5, 10];

/** From 0 to a round number that all values fit below. */
export function linearScale(values: readonly number[], length: number): Scale {
  const largest = Math.max(...values, 0);
  if (largest === 0) return { at: () => 0, ticks: [0] };
  const power = 10 ** Math.floor(Math.log10(largest / 4));
  const step = (STEPS.find((one) => one * power * 4 >= largest) ?? 10) * power;
  const count = Math.ceil(largest / step - 1e-9);
  return {
    at: (value) => (value / (count * step)) * length,
    ticks: Array.from({ length: count + 1 }, (_, index) => index * step),
  };
}

/** From the last of the round numbers below all values to the first above. Values must be positive. */
export function logScale(values: readonly number[], length: number, rounds: readonly number[]): Scale {
  const smallest = Math.min(...values);
  const largest = Math.max(...values);
  const from = Math.max(
    0,
    rounds.findLastIndex((round) => round <= smallest),
  );
  const to = rounds.findIndex((round) => round >= largest);
  const within = rounds.slice(from, to < 0 ? undefined : Math.max(to, from + 1) + 1);
  const [first = smallest] = within;
  const width = Math.log(Math.max(within.at(-1) ?? largest, largest) / first) || 1;
  const at = (value: number): number => (Math.log(value / first) / width) * length;
  let edge = -Infinity;
  const ticks = within.filter((round) => {
    if (at(round) - edge < TICK_WIDTH) return false;
    edge = at(round);
    return true;
  });
  return { at, ticks };
}

/** Moves labels down until none overlaps another; keeps their order. */
export function spreadLabels(wanted: readonly number[], gap: number): readonly number[] {
  const placed: number[] = [];
  const order = wanted.map((y, index) => ({ y, index })).toSorted((a, b) => a.y - b.y);
  let lowest = -Infinity;
  for (const { y, index } of order) {
    lowest = Math.max(y, lowest + gap);
    placed[index] = lowest;
  }
  return placed;
}
