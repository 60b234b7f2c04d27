import fc from 'fast-check';
import { expect, test } from 'vitest';
import { planVariants, sampleTests } from './sample.ts';
import { mustFail } from './variants.ts';

const tests = fc.uniqueArray(
  fc.record({ id: fc.string({ minLength: 1, maxLength: 6 }), file: fc.stringMatching(/^[a-z]{1,2}$/) }),
  { selector: ({ id }) => id, maxLength: 120 },
);
const seeds = fc.stringMatching(/^[0-9a-f]{8}$/);

test('all fixed tests, at most 30 others from at most 10 files, none twice', () => {
  fc.assert(
    fc.property(seeds, tests, fc.nat(40), (seed, passed, count) => {
      const fixed = passed.slice(0, count).map(({ id }) => id);
      const sample = sampleTests(seed, fixed, passed);
      expect(new Set(sample.fixed)).toEqual(new Set(fixed));
      const files = new Set(sample.others.map((id) => passed.find((one) => one.id === id)?.file));
      const left = passed.slice(count);
      expect(files.size).toBe(Math.min(10, new Set(left.map(({ file }) => file)).size));
      expect(sample.others.length).toBeLessThanOrEqual(30);
      expect(new Set([...sample.fixed, ...sample.others]).size).toBe(sample.fixed.length + sample.others.length);
    }),
  );
});

test('the seed decides, and not the order of the tests', () => {
  fc.assert(
    fc.property(seeds, tests, (seed, passed) => {
      expect(sampleTests(seed, [], passed)).toEqual(sampleTests(seed, [], passed.toReversed()));
    }),
  );
  const many = Array.from({ length: 200 }, (_, index) => ({ id: `t${index}`, file: `f${index % 20}` }));
  expect(sampleTests('aa', [], many).others).toHaveLength(30);
  expect(sampleTests('aa', [], many)).not.toEqual(sampleTests('ab', [], many));
});

test('in two rounds a test must fail once and pass once, a fixed one does all four', () => {
  fc.assert(
    fc.property(seeds, fc.string(), (seed, site) => {
      expect(new Set(planVariants(seed, site, false).map(mustFail))).toEqual(new Set([false, true]));
      expect([...planVariants(seed, site, true)].sort()).toEqual(['literal', 'neutral', 'respelled', 'throw']);
    }),
  );
  const first = Array.from({ length: 100 }, (_, index) => planVariants('aa', `site ${index}`, false)[0]);
  expect(new Set(first)).toEqual(new Set(['throw', 'literal', 'neutral', 'respelled']));
});
