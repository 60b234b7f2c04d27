import { type ApartRequest, type ApartVerdict, blameTests, NOT_TRIED_APART } from '../apart-verdict.ts';
import type { PlainTest } from '../forms/form.ts';
import { canRunApart, hasOtherForm } from '../forms/forms.ts';
import { programTrial } from '../in-program/try-in-program.ts';
import { plainTests } from '../plain-tests.ts';
import { runApart } from '../run-apart.ts';
import { hasUsualSurroundings } from '../usual-surroundings.ts';
import { nearTests } from './near-tests.ts';
import type { Trial } from './trial.ts';
import { benchWithoutStyles } from './without-styles.ts';

/**
 * Runs tests that passed before without their runner too: those that use what the patch changes. A patch that breaks something, but not
 * where tests run it, shows there. Such a test passes on the base each time, and fails with the patch each time.
 */
export async function tryKept(request: ApartRequest): Promise<ApartVerdict> {
  const { record, base, deciding, fileOf } = request;
  if (request.product.length === 0 || !canRunApart(record.runner) || IS_BUILT.test(record.runner))
    return NOT_TRIED_APART;
  if (hasOtherForm(record.runner) && !hasUsualSurroundings(record.runner, record.test_command, base))
    return NOT_TRIED_APART;
  const near = await nearTests(request);
  if (near.length === 0) return NOT_TRIED_APART;
  const plain: Trial = {
    tests: await plainTests(record.runner, near, deciding, fileOf),
    run: (bench, tree, tests) => runApart(record.runner, bench, tree, base, tests),
    silenceFails: true,
  };
  const apart = await compareTrees(request, plain);
  if (apart.faults.length > 0) return apart;
  const left = near.filter((id) => !apart.passed.includes(id));
  const program = left.length === 0 ? null : await programTrial(request, left);
  if (program === null) return apart;
  const { passed, faults } = await compareTrees(request, program);
  return { passed: [...apart.passed, ...passed], faults };
}

/** To build their programs takes as long as to build all their tests. */
const IS_BUILT = /^(?:go|cargo)$/;

async function compareTrees(request: ApartRequest, { tests, run, silenceFails }: Trial): Promise<ApartVerdict> {
  const { bench, baseBench, deciding, base } = request;
  if (tests.length === 0) return NOT_TRIED_APART;
  const first = await run(bench, deciding, tests);
  const passed = tests.filter(({ id }) => first.get(id) === 'passed').map(({ id }) => id);
  const brokenIn = (outcomes: ReadonlyMap<string, string>): readonly PlainTest[] =>
    tests.filter(({ id, file }) => {
      const outcome = outcomes.get(id);
      if (outcome !== undefined) return outcome !== 'passed' && outcome !== 'skipped';
      // A file that cannot be loaded this way shows nothing.
      return silenceFails && tests.some((other) => other.file === file && outcomes.has(other.id));
    });
  let doubtful = brokenIn(first);
  // Twice, so that neither a slow machine nor chance is taken for a fault.
  for (let round = 0; round < 2 && doubtful.length > 0; round += 1) {
    const before = await run(baseBench, base, tests);
    doubtful = doubtful.filter(({ id }) => before.get(id) === 'passed');
    if (doubtful.length === 0) break;
    const broken = brokenIn(await run(bench, deciding, tests));
    doubtful = doubtful.filter((test) => broken.includes(test));
  }
  // Only for code that openly asks where it runs, which the report then says: a style could also be a condition.
  const unstyled = doubtful.length === 0 || !request.asks ? null : benchWithoutStyles(request);
  if (unstyled !== null) {
    const broken = brokenIn(await run(unstyled, deciding, tests));
    doubtful = doubtful.filter((test) => broken.includes(test));
  }
  return { passed, faults: blameTests(doubtful) };
}
