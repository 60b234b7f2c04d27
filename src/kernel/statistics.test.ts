import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mean, median, passAllOf, wilsonInterval } from './statistics.ts';

// Newcombe (1998), Statistics in Medicine 17, 857-872, table I, method 3; and 5 of 5, the smallest batch that earns a stage.
test.each([
  [81, 263, 0.2553, 0.3662],
  [15, 148, 0.0624, 0.1605],
  [0, 20, 0, 0.1611],
  [1, 29, 0.0061, 0.1718],
  [5, 5, 0.5655, 1],
])('%d of %d: the Wilson interval is %f to %f', (passed, trials, low, high) => {
  const interval = wilsonInterval(passed, trials);
  expect(interval.low).toBeCloseTo(low, 4);
  expect(interval.high).toBeCloseTo(high, 4);
});

test('nothing is known without trials', () => {
  expect(wilsonInterval(0, 0)).toEqual({ low: 0, high: 1 });
  expect(median([])).toBeNull();
  expect(mean([])).toBeNull();
  expect(passAllOf(0, 0, 1)).toBeNull();
});

const counts = fc
  .tuple(fc.nat(400), fc.nat(400))
  .map(([a, b]) => ({ passed: Math.min(a, b), trials: Math.max(a, b, 1) }));

test('an interval holds its rate, stays within 0 and 1, and mirrors failures', () => {
  fc.assert(
    fc.property(counts, ({ passed, trials }) => {
      const { low, high } = wilsonInterval(passed, trials);
      const rate = passed / trials;
      expect(low).toBeGreaterThanOrEqual(0);
      expect(high).toBeLessThanOrEqual(1);
      expect(low).toBeLessThanOrEqual(rate);
      expect(high).toBeGreaterThanOrEqual(rate);
      const mirrored = wilsonInterval(trials - passed, trials);
      expect(mirrored.low).toBeCloseTo(1 - high, 10);
      expect(mirrored.high).toBeCloseTo(1 - low, 10);
    }),
  );
});

test('one more pass raises the interval; more of the same narrows it', () => {
  fc.assert(
    fc.property(counts, ({ passed, trials }) => {
      const one = wilsonInterval(passed, trials);
      expect(wilsonInterval(passed + 1, trials + 1).low).toBeGreaterThan(one.low);
      const twice = wilsonInterval(2 * passed, 2 * trials);
      expect(twice.high - twice.low).toBeLessThan(one.high - one.low);
    }),
  );
});

test('pass^k counts the draws of k runs that all passed', () => {
  expect(passAllOf(2, 3, 2)).toBeCloseTo(1 / 3, 12);
  expect(passAllOf(4, 5, 3)).toBeCloseTo(4 / 10, 12);
  expect(passAllOf(1, 3, 2)).toBe(0);
  expect(passAllOf(2, 2, 3)).toBeNull();
  fc.assert(
    fc.property(counts, ({ passed, trials }) => {
      expect(passAllOf(passed, trials, 1)).toBeCloseTo(passed / trials, 12);
      const chances = [1, 2, 3, 4].flatMap((k) => passAllOf(passed, trials, k) ?? []);
      expect(chances).toEqual(chances.toSorted((a, b) => b - a));
    }),
  );
});

test('the median halves its values, the mean balances them', () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(mean([1, 2, 6])).toBe(3);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1 }), (values) => {
      const middle = median(values) ?? Number.NaN;
      const below = values.filter((value) => value < middle).length;
      const above = values.filter((value) => value > middle).length;
      expect(below).toBeLessThanOrEqual(values.length / 2);
      expect(above).toBeLessThanOrEqual(values.length / 2);
    }),
  );
});
