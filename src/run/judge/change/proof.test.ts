import { describe, expect, it } from 'vitest';
import type { TestComparison } from './compare.ts';
import { decideProof, type ProofFacts } from './proof.ts';
import { isFlaky, isUnstable, needsOthers, passesAlone } from './stability.ts';

const NOTHING: TestComparison = { fixed: [], kept: [], newlyFailing: [], missing: [], stillFailing: [], added: [] };
const decide = (comparison: Partial<TestComparison>, facts: Partial<ProofFacts> = {}) =>
  decideProof({
    comparison: { ...NOTHING, ...comparison },
    mustFix: [],
    require: 'fixed_if_failing',
    shown: null,
    looksGreen: false,
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

describe('where it is enough that nothing broke', () => {
  const open = { stillFailing: ['a', 'b'] };
  const unsolved = (...ids: string[]) => ({ proof: null, faults: [{ code: 'nothing_fixed', ids }] });

  it('tests that failed before may fail still', () => {
    expect(decide(open, { require: 'kept' })).toEqual({ proof: 'kept', faults: [] });
    const shown = { failing: ['a', 'b', 'new'], passed: ['c'], sound: true };
    expect(decide(open, { require: 'kept', shown })).toEqual({ proof: 'kept', faults: [] });
  });

  it('the patch may not silence them: neither by its own version of them nor by what the command says', () => {
    const shown = { failing: ['b'], passed: ['a'], sound: true };
    expect(decide(open, { require: 'kept', shown })).toEqual(unsolved('a'));
    expect(decide(open, { require: 'kept', shown: { ...shown, passed: [] } })).toEqual(unsolved('a'));
    expect(decide(open, { require: 'kept', looksGreen: true })).toEqual(unsolved('a', 'b'));
  });
});

describe('a flaky test', () => {
  const passed = { recorded: 'passed', base: ['passed', 'passed'] } as const;

  it('fails at times without the patch, or does not fail again with it', () => {
    expect(isFlaky({ ...passed, patched: ['failed', 'failed'], base: ['passed', 'failed'] })).toBe(true);
    expect(isFlaky({ ...passed, patched: ['passed', 'passed'] })).toBe(true);
    expect(isFlaky({ recorded: 'failed', patched: ['absent', 'absent'], base: ['failed', 'passed'] })).toBe(true);
  });

  it('is not one that only the patch makes unreliable, nor one that cannot be run', () => {
    expect(isFlaky({ ...passed, patched: ['passed', 'failed'] })).toBe(false);
    expect(isFlaky({ ...passed, patched: ['absent', 'absent'] })).toBe(false);
    expect(isFlaky({ ...passed, patched: [], base: [] })).toBe(false);
  });

  it('is not one that always failed before the patch had it skipped', () => {
    for (const patched of ['skipped', 'absent', 'passed'] as const)
      expect(isFlaky({ recorded: 'failed', patched: [patched, patched], base: ['failed', 'failed'] })).toBe(false);
  });

  it('is tried among the others where it passes alone: the patch may fail only there', () => {
    expect(passesAlone({ ...passed, patched: ['passed', 'passed'] })).toBe(true);
    expect(passesAlone({ ...passed, patched: ['passed', 'failed'] })).toBe(false);
    expect(passesAlone({ ...passed, patched: ['passed', 'passed'], base: ['passed', 'failed'] })).toBe(false);
    expect(passesAlone({ recorded: 'failed', patched: ['passed', 'passed'], base: ['failed', 'failed'] })).toBe(false);
  });

  it('is not told by running it alone if it never passes so', () => {
    expect(needsOthers({ ...passed, patched: ['failed', 'failed'], base: ['failed', 'error'] })).toBe(true);
    expect(needsOthers({ ...passed, patched: ['failed', 'failed'], base: ['failed', 'passed'] })).toBe(false);
    expect(needsOthers({ recorded: 'failed', patched: ['absent'], base: ['failed', 'failed'] })).toBe(false);
  });

  it('more than one in twenty leaves the suite without a say', () => {
    expect(isUnstable(1, 3)).toBe(false);
    expect(isUnstable(5, 100)).toBe(false);
    expect(isUnstable(6, 100)).toBe(true);
  });
});
