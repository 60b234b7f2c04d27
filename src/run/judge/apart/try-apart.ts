import { reason } from '../../../evidence/reasons/catalogue.ts';
import type { Reason } from '../../../evidence/reasons/reason.ts';
import type { BaseRecord } from '../../../evidence/schema/base-record.ts';
import type { TestBench } from '../base/bench.ts';
import type { TestFiles } from '../must-fail/locate/site.ts';
import type { RepeatOutcome } from '../change/stability.ts';
import { APART_RUNNERS, plainTests, type PlainTest } from './plain-tests.ts';

export interface ApartRequest {
  readonly record: Pick<BaseRecord, 'runner' | 'tests' | 'test_command'>;
  readonly bench: Pick<TestBench, 'run'>;
  readonly baseBench: Pick<TestBench, 'run'>;
  /** Directories of the trees. */
  readonly deciding: string;
  readonly base: string;
  readonly fixed: readonly string[];
  readonly kept: readonly string[];
  readonly files: TestFiles;
  readonly fileOf: (id: string) => string | null;
}

export interface ApartVerdict {
  /** Fixed tests that also pass with the code in a sandbox of its own. */
  readonly passed: readonly string[];
  readonly faults: readonly Reason<'fail'>[];
}

export const NOT_TRIED_APART: ApartVerdict = { passed: [], faults: [] };
/** Enough to see whether tests of this repository can be kept apart at all. */
const MAX_CALIBRATING = 10;

/**
 * Runs fixed tests that only call and compare with the code in a sandbox of its own, which knows nothing of tests. Code that does its
 * work only where tests run it fails there, however it finds out.
 */
export async function tryApart(request: ApartRequest): Promise<ApartVerdict> {
  const { record, bench, baseBench, fixed, kept, files, fileOf } = request;
  if (!APART_RUNNERS.has(record.runner)) return NOT_TRIED_APART;
  const tests = await plainTests(record.runner, fixed, files, fileOf);
  if (tests.length === 0) return NOT_TRIED_APART;
  const run = (on: Pick<TestBench, 'run'>, tree: string, due: readonly PlainTest[]): Promise<Outcomes> =>
    outcomesApart(on, tree, due);
  const first = await run(bench, request.deciding, tests);
  const passed = tests.filter(({ id }) => first.get(id) === 'passed').map(({ id }) => id);
  const doubtful = tests.filter(({ id }) => isDoubtful(first.get(id)));
  if (doubtful.length === 0) return { passed, faults: [] };
  const again = await run(bench, request.deciding, doubtful);
  const calibrating = (await plainTests(record.runner, kept.slice(0, 50), files, fileOf)).slice(0, MAX_CALIBRATING);
  const onBase = await run(baseBench, request.base, [...doubtful, ...calibrating]);
  // What passes in the process of the code fails apart from it without the patch too: such tests cannot be kept apart.
  if (calibrating.some(({ id }) => onBase.get(id) !== 'passed')) return { passed, faults: [] };
  const unloaded = new Set(record.tests.filter(({ outcome }) => outcome === 'error').map(({ id }) => id));
  const blamed = doubtful.filter(({ id, file }) =>
    unloaded.has(file)
      ? first.get(id) === 'failed' && again.get(id) === 'failed'
      : onBase.get(id) === 'failed' && isDoubtful(again.get(id)),
  );
  return { passed, faults: blamed.length === 0 ? [] : [reason('passes_beside_tests_only', { n: blamed.length })] };
}

type Outcomes = ReadonlyMap<string, RepeatOutcome>;

/** Not reported: the code ended where no test was with it. Skipped: what the test needs cannot pass from one sandbox to the other. */
const isDoubtful = (outcome: RepeatOutcome | undefined): boolean => outcome === 'failed' || outcome === undefined;

async function outcomesApart(
  bench: Pick<TestBench, 'run'>,
  tree: string,
  due: readonly PlainTest[],
): Promise<Outcomes> {
  const { seen } = await bench.run({
    tree,
    only: due.map(({ id }) => id),
    apart: [...new Set(due.map(({ file }) => file))],
  });
  return new Map(seen.map(({ id, outcome }) => [id, outcome]));
}
