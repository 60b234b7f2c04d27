import type { BeforeAfter, TestRecord } from '../../evidence/schema/report.ts';

/** What a change did to the tests, by id. Pure: two lists of outcomes in, four lists of ids out. */
export function compareTests(before: readonly TestRecord[], after: readonly TestRecord[]): BeforeAfter {
  const passedBefore = passing(before);
  const passedAfter = passing(after);
  const skipped = new Set(after.filter(({ outcome }) => outcome === 'skipped').map(({ id }) => id));
  const ids = [...new Set([...before, ...after].map(({ id }) => id))];
  const where = (was: boolean, is: boolean): string[] =>
    ids.filter((id) => passedBefore.has(id) === was && passedAfter.has(id) === is);
  return {
    fixed: where(false, true),
    still_passing: where(true, true),
    newly_failing: where(true, false),
    // What is skipped says nothing either way.
    still_failing: where(false, false).filter((id) => !skipped.has(id)),
  };
}

function passing(tests: readonly TestRecord[]): Set<string> {
  return new Set(tests.filter(({ outcome }) => outcome === 'passed').map(({ id }) => id));
}
