import type { JudgeResult } from '../types.ts';
import type { BaseRecord, RecordedTest } from '../../../evidence/schema/base-record.ts';

/** What a change did to the tests of the base, by id. Tests without a vote (flaky, known to fail) are in none of the lists. */
export interface TestComparison {
  /** Failed or did not load before, pass now. */
  readonly fixed: readonly string[];
  readonly kept: readonly string[];
  readonly newlyFailing: readonly string[];
  /** Reported by the base's run; absent or newly skipped now. */
  readonly missing: readonly string[];
  readonly stillFailing: readonly string[];
  /** Not known to the base. */
  readonly added: readonly string[];
}

export const isFailing = ({ outcome }: Pick<RecordedTest, 'outcome'>): boolean =>
  outcome === 'failed' || outcome === 'error';

/** The run ended properly, whatever its tests reported. */
export const isSound = ({ protocolFaults, verdict }: Pick<JudgeResult, 'protocolFaults' | 'verdict'>): boolean =>
  protocolFaults.length === 0 && verdict !== 'blocked';

/** The base's command reports only an exit code, so tests that it reports with the patch come from the patch. */
export const reportsNothing = ({ tests }: Pick<BaseRecord, 'tests'>): boolean => tests.length === 0;

/** Whether the holder was reported in place of tests that could not be loaded: a file, a package, a test program. */
const holds = (holder: RecordedTest, { id, file }: RecordedTest): boolean =>
  holder.outcome === 'error' &&
  holder.id !== id &&
  (id.startsWith(`${holder.id}::`) || id.startsWith(`${holder.id}.`) || file === holder.id);

/**
 * A file that did not load on the base represents all its tests: their names are known only once it loads, and then all must pass.
 * `withoutVote`: ids that decide nothing.
 */
export function compareWithRecord(
  record: Pick<BaseRecord, 'tests'>,
  now: readonly RecordedTest[],
  withoutVote: ReadonlySet<string> = new Set(),
): TestComparison {
  const before = new Map(record.tests.map((test) => [test.id, test]));
  const after = new Map(now.map((test) => [test.id, test]));
  const unloaded = record.tests.filter(({ outcome }) => outcome === 'error');
  const holderOf = (test: RecordedTest): RecordedTest | undefined =>
    before.has(test.id) ? undefined : unloaded.find((holder) => holds(holder, test));

  const result = {
    fixed: [] as string[],
    kept: [] as string[],
    newlyFailing: [] as string[],
    missing: [] as string[],
    stillFailing: [] as string[],
    added: [] as string[],
  };
  for (const was of record.tests) {
    if (withoutVote.has(was.id)) continue;
    const is = after.get(was.id);
    if (isFailing(was)) {
      const loaded = is === undefined ? now.filter((test) => holds(was, test)) : [];
      if (is?.outcome === 'passed') result.fixed.push(was.id);
      else if (is === undefined && loaded.length > 0) sortLoaded(loaded, result);
      else if (is === undefined || is.outcome === 'skipped') result.missing.push(was.id);
      else result.stillFailing.push(was.id);
      continue;
    }
    if (was.outcome === 'skipped') {
      // Skipped on the base: it may now run or be gone, but must not fail.
      if (is !== undefined && isFailing(is)) result.newlyFailing.push(was.id);
      continue;
    }
    if (is === undefined || is.outcome === 'skipped') result.missing.push(was.id);
    else if (isFailing(is)) result.newlyFailing.push(was.id);
    else result.kept.push(was.id);
  }
  for (const test of now)
    if (!before.has(test.id) && holderOf(test) === undefined && !withoutVote.has(test.id)) result.added.push(test.id);
  return result;
}

function sortLoaded(loaded: readonly RecordedTest[], result: { fixed: string[]; stillFailing: string[] }): void {
  for (const test of loaded) {
    if (test.outcome === 'passed') result.fixed.push(test.id);
    else if (isFailing(test)) result.stillFailing.push(test.id);
  }
}
