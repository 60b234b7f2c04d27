import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import { listedTests } from '../results/listed-tests.ts';
import type { ApartTree } from './run-apart.ts';

export interface ApartRequest {
  readonly record: Pick<BaseRecord, 'runner' | 'tests' | 'test_command' | 'exit_code'>;
  readonly bench: Pick<TestBench, 'run'>;
  readonly baseBench: Pick<TestBench, 'run'>;
  readonly deciding: ApartTree;
  readonly base: ApartTree;
  readonly fixed: readonly string[];
  readonly kept: readonly string[];
  /** Files of the product that the patch changes. */
  readonly product: readonly string[];
  /** Hexadecimal, drawn when the patch could no longer change. */
  readonly seed: string;
  readonly fileOf: (id: string) => string | null;
  /** The new code checks where it runs, or who started it. */
  readonly asks: boolean;
  /** New code could leave something behind that a later call or the next run finds. */
  readonly leavesSomething: boolean;
}

export interface ApartVerdict {
  /** Tests that also pass without their runner. */
  readonly passed: readonly string[];
  readonly faults: readonly Reason<'fail'>[];
}

export const NOT_TRIED_APART: ApartVerdict = { passed: [], faults: [] };

/** Without their runner, these tests fail because of the patch. */
export function blameTests(blamed: readonly { readonly id: string }[]): ApartVerdict['faults'] {
  const tests = listedTests(blamed.map(({ id }) => id));
  return blamed.length === 0 ? [] : [reason('passes_beside_tests_only', { tests })];
}
