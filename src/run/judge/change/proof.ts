import type { TestComparison } from './compare.ts';

export interface ProofFacts {
  readonly comparison: TestComparison;
  /** Ids or files that must be fixed; empty: any failing test will do. */
  readonly mustFix: readonly string[];
  /** For a landing or a phase it is enough that nothing broke. */
  readonly require: 'fixed_if_failing' | 'kept';
  /** The result of the patch's own version of the tests; null: it changes none. */
  readonly shown: ShownRun | null;
  /** Tests of the base still fail, but with the whole patch the test command succeeds. */
  readonly looksGreen: boolean;
}

export interface ShownRun {
  /** Ids that failed or could not be loaded in the run with the whole patch. */
  readonly failing: readonly string[];
  readonly passed: readonly string[];
  /** The run itself ended properly. */
  readonly sound: boolean;
}

export type ChangeFault =
  | { readonly code: 'tests_missing'; readonly ids: readonly string[] }
  | { readonly code: 'tests_newly_failing'; readonly ids: readonly string[] }
  | { readonly code: 'demand_changed'; readonly ids: readonly string[] }
  | { readonly code: 'nothing_fixed'; readonly ids: readonly string[] };

export interface Proof {
  /** `fixed`: a test that failed passes now. `kept`: the base was green and nothing broke. */
  readonly proof: 'fixed' | 'kept' | null;
  readonly faults: readonly ChangeFault[];
}

/** What the tests of the base prove about a change. Pure. */
export function decideProof(facts: ProofFacts): Proof {
  const { comparison } = facts;
  const faults = [...regressions(facts), ...unfixed(facts)];
  if (faults.length > 0) return { proof: null, faults };
  return { proof: comparison.fixed.length > 0 ? 'fixed' : 'kept', faults };
}

/**
 * If base tests fail only because the patch changes what they demand, and its own version of them passes, a person must decide: no test
 * of the base can.
 */
function regressions({ comparison: { missing, newlyFailing }, shown }: ProofFacts): ChangeFault[] {
  const broken = [...missing, ...newlyFailing];
  if (broken.length === 0) return [];
  const failsToo = new Set(shown?.failing ?? []);
  const demanded = shown !== null && shown.sound && shown.failing.length === 0 && shown.passed.length > 0;
  if (demanded && broken.every((id) => !failsToo.has(id))) return [{ code: 'demand_changed', ids: broken }];
  return [
    ...(missing.length > 0 ? [{ code: 'tests_missing', ids: missing } as const] : []),
    ...(newlyFailing.length > 0 ? [{ code: 'tests_newly_failing', ids: newlyFailing } as const] : []),
  ];
}

function unfixed(facts: ProofFacts): ChangeFault[] {
  const { comparison, mustFix, require } = facts;
  const { fixed, stillFailing, missing } = comparison;
  if (mustFix.length > 0) {
    const open = mustFix.filter((wanted) => !isFixed(wanted, fixed, stillFailing));
    return open.length === 0 ? [] : [{ code: 'nothing_fixed', ids: open }];
  }
  if (fixed.length > 0 || stillFailing.length === 0 || missing.length > 0) return [];
  const unsolved = require === 'kept' ? silenced(facts) : stillFailing;
  return unsolved.length === 0 ? [] : [{ code: 'nothing_fixed', ids: unsolved }];
}

/** Tests that still fail, but not with the whole patch: it changed the tests instead of the product. */
function silenced({ comparison: { stillFailing }, shown, looksGreen }: ProofFacts): readonly string[] {
  if (looksGreen) return stillFailing;
  if (shown === null || !shown.sound) return [];
  const failing = new Set(shown.failing);
  return stillFailing.filter((id) => !failing.has(id));
}

/** A file is fixed when one of its tests is and none still fails. */
function isFixed(wanted: string, fixed: readonly string[], stillFailing: readonly string[]): boolean {
  const isOf = (id: string): boolean => id === wanted || id.startsWith(`${wanted}::`);
  return fixed.some(isOf) && !stillFailing.some(isOf);
}
