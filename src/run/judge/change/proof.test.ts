import { describe, expect, it } from 'vitest';
import type { TestComparison } from './compare.ts';
import { decideProof, type ProofFacts } from './proof.ts';
import { isFlaky, isUnstable } from './stability.ts';

const NOTHING: TestComparison = { fixed: [], kept: [], newlyFailing: [], missing: [], stillFailing: [], added: [] };
const decide = (comparison: Partial<TestComparison>, facts: Partial<ProofFacts> = {}) =>
  decideProof({
    comparison: { ...NOTHING, ...comparison },
    mustFix: [],
    require: 'fixed_if_failing',
    shown: null,
    ...facts,
  });

describe('what the tests of the base say about a change', () => {
  it('a fixed test is a proof; a green base that stayed green is kept', () => {
    expect(decide({ fixed: ['a'], kept: ['b'] })).toEqual({ proof: 'fixed', faults: [] });
    expect(decide({ kept: ['b'] })).toEqual({ proof: 'kept', faults: [] });
  });

  it('one fixed test does not outweigh one that broke or vanished', () => {
    expect(decide({ fixed: ['a'], newlyFailing: ['b'], missing: ['c'] })).toEqual({
      proof: null,
      faults: [
        { code: 'tests_missing', ids: ['c'] },
        { code: 'tests_newly_failing', ids: ['b'] },
      ],
    });
  });

  it('failing tests of which none was fixed prove nothing, unless nothing more was asked', () => {
    expect(decide({ kept: ['a'], stillFailing: ['b'] }).faults).toEqual([{ code: 'nothing_fixed', ids: ['b'] }]);
    expect(decide({ kept: ['a'], stillFailing: ['b'] }, { require: 'kept' })).toEqual({ proof: 'kept', faults: [] });
  });

  it('--must-fix wants exactly those, by id or by file', () => {
    expect(decide({ fixed: ['t.py::a', 't.py::b'] }, { mustFix: ['t.py'] }).proof).toBe('fixed');
    expect(decide({ fixed: ['t.py::a'], stillFailing: ['t.py::b'] }, { mustFix: ['t.py'] }).faults).toEqual([
      { code: 'nothing_fixed', ids: ['t.py'] },
    ]);
    expect(decide({ fixed: ['other'] }, { mustFix: ['t.py::a'] }).proof).toBeNull();
  });

  it("a patch whose own tests pass where the base's fail asks a person, and never passes", () => {
    const shown = { failing: [], passed: ['b'], sound: true };
    expect(decide({ newlyFailing: ['b'] }, { shown })).toEqual({
      proof: null,
      faults: [{ code: 'demand_changed', ids: ['b'] }],
    });
    for (const other of [
      { ...shown, failing: ['x'] },
      { ...shown, sound: false },
      { ...shown, passed: [] },
    ])
      expect(decide({ newlyFailing: ['b'] }, { shown: other }).faults).toEqual([
        { code: 'tests_newly_failing', ids: ['b'] },
      ]);
  });
});

describe('a flaky test', () => {
  it('fails at times without the patch, or does not fail again with it', () => {
    expect(isFlaky({ patched: ['failed', 'failed'], base: ['passed', 'failed'] })).toBe(true);
    expect(isFlaky({ patched: ['passed', 'passed'], base: ['passed', 'passed'] })).toBe(true);
  });

  it('is not one that only the patch makes unreliable, nor one that cannot be run', () => {
    expect(isFlaky({ patched: ['passed', 'failed'], base: ['passed', 'passed'] })).toBe(false);
    expect(isFlaky({ patched: ['absent', 'absent'], base: ['passed', 'passed'] })).toBe(false);
    expect(isFlaky({ patched: [], base: [] })).toBe(false);
  });

  it('more than one in twenty leaves the suite without a say', () => {
    expect(isUnstable(1, 3)).toBe(false);
    expect(isUnstable(5, 100)).toBe(false);
    expect(isUnstable(6, 100)).toBe(true);
  });
});
