import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CountedRun, StageBatch } from '../evidence/stage-records/schema.ts';
import { ZERO_DIGEST } from '../kernel/digest.ts';
import { type BatchFacts, decidePromotion } from './decide.ts';
import { LADDER, type LadderStage, stageNumbered } from './ladder.ts';

const stage = (number: number): LadderStage => {
  const found = stageNumbered(number);
  if (found === null) throw new Error(`no stage ${number}`);
  return found;
};

const runs = (outcome: CountedRun['outcome'], n: number): CountedRun[] =>
  Array.from({ length: n }, (_, index) => ({
    run_id: `${outcome}-${index}`,
    report_sha256: ZERO_DIGEST,
    outcome,
    why: outcome === 'pass' ? null : 'tests failed',
  }));

const batch = (passed: number, failed = 0, notJudged = 0, more: Partial<BatchFacts> = {}): BatchFacts => ({
  batch: { id: 'b' } as StageBatch,
  open: 0,
  runs: [...runs('pass', passed), ...runs('fail', failed), ...runs('not_judged', notJudged)],
  undelivered: [],
  others: [],
  ...more,
});

const missing = (to: number, batches: readonly BatchFacts[], earned = to - 1): string[] =>
  decidePromotion({ stage: stage(to), earned, batches }).missing.map(({ what }) => what);

describe('a stage is granted by', () => {
  it.each([2, 3, 4, 5])('5 of 5 at stage %i, and by nothing less', (to) => {
    expect(missing(to, [batch(5)])).toEqual([]);
    expect(missing(to, [batch(4)])).toEqual(expect.arrayContaining(['4 runs were judged, 5 are needed']));
    expect(missing(to, [batch(4, 1)])).toEqual(['4 of 5 passed: the lower bound is 0.376, 0.5 is needed']);
  });

  it('8 of 8 at stage 6', () => {
    expect(missing(6, [batch(8)])).toEqual([]);
    expect(missing(6, [batch(7)])).toHaveLength(2);
    expect(missing(6, [batch(8, 1)])).toEqual(['8 of 9 passed: the lower bound is 0.565, 0.65 is needed']);
  });

  it('nothing while runs are to go, a change is not delivered, or no batch is declared', () => {
    expect(missing(2, [batch(5, 0, 0, { open: 1 })])).toEqual(['batch b has 1 runs to go']);
    expect(missing(4, [batch(5, 0, 0, { undelivered: [{ run: 'r', why: 'not approved' }] })])).toEqual([
      'the change of r was not delivered: not approved',
    ]);
    expect(missing(3, [])).toEqual(['no batch is declared']);
  });

  it('nothing while the stage below is missing', () => {
    expect(missing(4, [batch(5)], 2)).toEqual(['stage 3 is not earned']);
    expect(missing(2, [batch(5)], 0)).toEqual(['stage 1 is not earned']);
    expect(missing(2, [batch(5)], 4)).toEqual(['stage 2 is already granted']);
  });
});

it('runs that were not judged are left out, up to a fifth of all', () => {
  expect(missing(2, [batch(5, 0, 1)])).toEqual([]);
  expect(missing(2, [batch(5, 0, 2)])).toEqual(['2 of 7 runs were not judged, at most 20 % may be']);
});

it('a failed batch is not replaced by a better one: all runs count', () => {
  expect(missing(2, [batch(3, 2), batch(5)])).toEqual(['8 of 10 passed: the lower bound is 0.490, 0.5 is needed']);
  expect(missing(2, [batch(3, 2), batch(5), batch(5)])).toEqual([]);
});

it('one noisy run decides nothing: it takes many to undo what many have shown', () => {
  expect(missing(2, [batch(12)])).toEqual([]);
  expect(missing(2, [batch(12, 1)])).toEqual([]);
  expect(missing(2, [batch(1)])).toHaveLength(2);
});

it('more passes never take a stage away, more fails never give one', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.nat(30), fc.nat(5), (passed, failed, also) => {
      const granted = (p: number, f: number): boolean => missing(2, [batch(p, f)]).length === 0;
      expect(granted(passed, failed) && !granted(passed + also, failed)).toBe(false);
      expect(!granted(passed, failed) && granted(passed, failed + also)).toBe(false);
    }),
  );
});

it('stage 6 is refused to an engine that is clearly worse, and where the known solution fails', () => {
  const others = (engine: string, low: number) => ({ others: [{ engine, label: engine, interval: { low, high: 1 } }] });
  expect(missing(6, [batch(8, 0, 0, others('pi', 0.9))])).toEqual([]);
  expect(missing(6, [batch(40, 8, 0, others('pi', 0.95))])).toEqual(['clearly worse than pi']);
  expect(missing(6, [batch(8, 0, 0, others('fake', 0))])).toEqual(['the known solution never passed in batch b']);
});

it('every stage names its scope, artifacts, validator, failure modes and promotion', () => {
  expect(LADDER.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
  for (const one of LADDER) {
    expect(one.mutation).not.toBe('');
    expect([one.entry, one.requiredArtifacts, one.failureModes].every((list) => list.length > 0)).toBe(true);
    expect(`${one.validator} ${one.promotion}`).toMatch(/seatrial .* /);
  }
});
