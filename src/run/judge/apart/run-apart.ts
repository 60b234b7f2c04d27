import type { TestBench } from '../base/bench.ts';
import type { RepeatOutcome } from '../change/stability.ts';
import { parentOf } from '../deciding/path-parts.ts';
import type { TestFiles } from '../must-fail/locate/site.ts';
import type { PlainTest } from './forms/form.ts';
import { developerFiles, usesPackages } from './developer-files.ts';
import { formOf, needsPlainTests } from './forms/forms.ts';
import { otherPlace, type OtherPlace } from './other-place.ts';

/** A tree whose tests run without their runner. */
export interface ApartTree extends TestFiles {
  readonly dir: string;
}

export type ApartOutcomes = ReadonlyMap<string, RepeatOutcome>;

/** One file that does not load can keep all tests from being reported; then this many files are tried one by one. */
const MAX_FILES_ALONE = 6;

/** What the tests' sandbox reports if the code ended its process. */
const BROKE_OFF = 'the code under test ended or broke off';

/**
 * Runs tests of a tree without their runner; `base` is the tree before the patch. A test that is not reported: the code ended its
 * process. Skipped: the test cannot run this way.
 */
export async function runApart(
  runner: string,
  bench: Pick<TestBench, 'run'>,
  tree: ApartTree,
  base: ApartTree,
  due: readonly PlainTest[],
): Promise<ApartOutcomes> {
  const groups = runner === 'go' ? groupBy(due, ({ file }) => parentOf(file)) : [due];
  const outcomes = new Map<string, RepeatOutcome>();
  const run = async (tests: readonly PlainTest[]): Promise<void> => {
    for (const [id, outcome] of await outcomesOf(runner, bench, tree, base, tests)) outcomes.set(id, outcome);
  };
  for (const group of groups) {
    if (group.length === 0) continue;
    await run(group);
    const silent = group.filter(({ id }) => !outcomes.has(id) || outcomes.get(id) === 'skipped');
    const files = groupBy(group, ({ file }) => file);
    if (silent.length === 0 || files.length === 1) continue;
    for (const tests of files.slice(0, MAX_FILES_ALONE))
      if (tests.some((test) => silent.includes(test))) await run(tests);
  }
  return outcomes;
}

async function outcomesOf(
  runner: string,
  bench: Pick<TestBench, 'run'>,
  tree: ApartTree,
  base: ApartTree,
  due: readonly PlainTest[],
): Promise<ApartOutcomes> {
  const form = await formOf(runner, due, tree, base);
  const ids = due.map(({ id }) => id);
  if (form === null) return new Map(ids.map((id) => [id, 'skipped']));
  if (form === undefined) {
    const { seen } = await bench.run({
      tree: tree.dir,
      only: ids,
      apart: [...new Set(due.map(({ file }) => file))],
      remove: developerFiles(tree, base),
      byHand: { packages: usesPackages(tree), ...placeOf(runner, due, base) },
    });
    return new Map(seen.map(({ id, outcome }) => [id, outcome]));
  }
  const { nameOf, plain, apart, mayNotLoad, ...changes } = form;
  const { seen, exitCode, output } = await bench.run({
    tree: tree.dir,
    ...changes,
    ...(plain === true ? {} : { remove: [...form.remove, ...developerFiles(tree, base)] }),
    byHand: { packages: plain === true || usesPackages(tree), ...placeOf(runner, due, base) },
    ...(plain === undefined ? { only: ids.map(nameOf) } : { plain }),
    ...(apart === undefined ? {} : { apart }),
  });
  const outcomes = new Map(seen.map(({ id, outcome }) => [id, outcome]));
  const isReported = (file: string): boolean => due.some((test) => test.file === file && outcomes.has(nameOf(test.id)));
  const isExcused = (file: string): boolean =>
    plain === true ? exitCode !== 0 : mayNotLoad === true && !isReported(file) && !output.includes(BROKE_OFF);
  return new Map(
    due.flatMap(({ id, file }) => {
      const outcome = outcomes.get(nameOf(id)) ?? (isExcused(file) ? 'skipped' : undefined);
      return outcome === undefined ? [] : [[id, outcome] as const];
    }),
  );
}

/** Only the program in which JavaScript runs apart can be started elsewhere. */
const placeOf = (runner: string, due: readonly PlainTest[], base: ApartTree): Partial<OtherPlace> =>
  !needsPlainTests(runner) || OF_PYTHON.test(runner)
    ? {}
    : otherPlace(
        due.map(({ file }) => file),
        base,
      );

const OF_PYTHON = /^(?:pytest|unittest)$/;

function groupBy(tests: readonly PlainTest[], keyOf: (test: PlainTest) => string): readonly (readonly PlainTest[])[] {
  const groups = new Map<string, PlainTest[]>();
  for (const test of tests) groups.set(keyOf(test), [...(groups.get(keyOf(test)) ?? []), test]);
  return [...groups.values()];
}
