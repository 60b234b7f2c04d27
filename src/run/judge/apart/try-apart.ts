import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { RepeatOutcome } from '../change/stability.ts';
import type { PlainTest } from './forms/form.ts';
import { canRunApart, hasOtherForm } from './forms/forms.ts';
import { plainTests } from './plain-tests.ts';
import { type ApartTree, runApart } from './run-apart.ts';
import { hasUsualSurroundings } from './usual-surroundings.ts';

export interface ApartRequest {
  readonly record: Pick<BaseRecord, 'runner' | 'tests' | 'test_command'>;
  readonly bench: Pick<TestBench, 'run'>;
  readonly baseBench: Pick<TestBench, 'run'>;
  readonly deciding: ApartTree;
  readonly base: ApartTree;
  readonly fixed: readonly string[];
  readonly kept: readonly string[];
  readonly fileOf: (id: string) => string | null;
}

export interface ApartVerdict {
  /** Fixed tests that also pass where nothing of a runner is. */
  readonly passed: readonly string[];
  readonly faults: readonly Reason<'fail'>[];
}

export const NOT_TRIED_APART: ApartVerdict = { passed: [], faults: [] };
/** Enough to see whether tests of this repository can run so at all. */
const MAX_CALIBRATING = 10;

/**
 * Runs fixed tests where nothing of their runner is: with the code in a sandbox of its own, or as functions of an ordinary program.
 * Code that does its work only where tests run it fails there, however it finds out.
 */
export async function tryApart(request: ApartRequest): Promise<ApartVerdict> {
  const { record, bench, baseBench, fixed, kept, deciding, base, fileOf } = request;
  const { runner } = record;
  if (!canRunApart(runner)) return NOT_TRIED_APART;
  if (hasOtherForm(runner) && !hasUsualSurroundings(runner, record.test_command, base)) return NOT_TRIED_APART;
  const tests = await plainTests(runner, fixed, deciding, fileOf);
  if (tests.length === 0) return NOT_TRIED_APART;
  const first = await runApart(runner, bench, deciding, base, tests);
  const passed = tests.filter(({ id }) => first.get(id) === 'passed').map(({ id }) => id);
  const doubtful = tests.filter(({ id }) => isDoubtful(first.get(id)));
  if (doubtful.length === 0) return { passed, faults: [] };
  const again = await runApart(runner, bench, deciding, base, doubtful);
  const calibrating = calibratingTests(await plainTests(runner, kept.slice(0, 50), deciding, fileOf), doubtful);
  const onBase = await runApart(runner, baseBench, base, base, [...doubtful, ...calibrating]);
  const unloaded = new Set(record.tests.filter(({ outcome }) => outcome === 'error').map(({ id }) => id));
  const blamed = doubtful.filter(({ id, file }) => {
    // What passes in the process of the code fails apart from it without the patch too: such tests say nothing here.
    const nearest = calibrating.filter((one) => one.file === file);
    const shown = nearest.length > 0 ? nearest : calibrating;
    if (shown.some((one) => onBase.get(one.id) !== 'passed')) return false;
    if (shown.length === 0 && hasOtherForm(runner)) return false;
    return unloaded.has(file)
      ? first.get(id) === 'failed' && again.get(id) === 'failed'
      : onBase.get(id) === 'failed' && isDoubtful(again.get(id));
  });
  return { passed, faults: blamed.length === 0 ? [] : [reason('passes_beside_tests_only', { n: blamed.length })] };
}

/** Tests that pass before and after the patch: of the same files, if there are any. */
function calibratingTests(kept: readonly PlainTest[], doubtful: readonly PlainTest[]): readonly PlainTest[] {
  const files = new Set(doubtful.map(({ file }) => file));
  const near = kept.filter(({ file }) => files.has(file));
  return [...near, ...kept.filter((test) => !near.includes(test))].slice(0, MAX_CALIBRATING);
}

/** Not reported: the code ended where no test was with it. Skipped: what the test needs cannot pass from one sandbox to the other. */
const isDoubtful = (outcome: RepeatOutcome | undefined): boolean => outcome === 'failed' || outcome === undefined;
