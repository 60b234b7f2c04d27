import { splitStillFailing, testsRan } from '../before-after.ts';
import type { BeforeAfter, Report, TestRecord } from '../../schema/report.ts';
import { groupDigits, ISOLATION_MEANING, ISOLATION_WORD, plural } from './text/words.ts';

export interface TestRow {
  readonly id: string;
  readonly outcome: TestRecord['outcome'] | 'not reported';
  /** `unknown`: the task did not record which tests must report. */
  readonly expected: 'yes' | 'no' | 'unknown';
}

/** Every test that was expected or reported, those that need attention first. */
export function testRows(tests: Report['tests']): readonly TestRow[] {
  const expected = new Set(tests.expected);
  const reported = new Set(tests.seen.map((record) => record.id));
  const missing = tests.expected
    .filter((id) => !reported.has(id))
    .map((id): TestRow => ({ id, outcome: 'not reported', expected: 'yes' }));
  const seen = tests.seen.map((record): TestRow => ({
    ...record,
    expected: expected.size === 0 ? 'unknown' : expected.has(record.id) ? 'yes' : 'no',
  }));
  const rows = [...missing, ...seen];
  return [...rows.filter((row) => row.outcome !== 'passed'), ...rows.filter((row) => row.outcome === 'passed')];
}

export function judgeRan(tests: Report['tests']): boolean {
  return testsRan({ exitCode: tests.exit_code, seen: tests.seen });
}

/** `5 of 5 expected tests passed · black box`; counts what was recorded and claims no more. */
export function testsSummary(tests: Report['tests'], againstBase = false): string {
  if (!judgeRan(tests)) return 'tests did not run';
  const isolation = ISOLATION_WORD[tests.isolation];
  const passed = new Set(tests.seen.filter((record) => record.outcome === 'passed').map((record) => record.id));
  const broken = new Set(tests.seen.filter((record) => record.outcome !== 'passed').map((record) => record.id));
  if (tests.expected.length > 0) {
    const met = tests.expected.filter((id) => passed.has(id) && !broken.has(id)).length;
    return `${groupDigits(met)} of ${plural(tests.expected.length, 'expected test')} passed · ${isolation}`;
  }
  if (tests.seen.length === 0) return `no test reported a result · ${isolation}`;
  if (againstBase)
    return `${groupDigits(passed.size)} of ${plural(tests.seen.length, 'test')} of the base passed · ${isolation}`;
  return `${groupDigits(passed.size)} of ${plural(tests.seen.length, 'reported test')} passed, none recorded as expected · ${isolation}`;
}

/** The judge's own note, without the meaning of the isolation level, which is shown anyway. */
export function furtherNote(tests: Report['tests']): string | null {
  if (tests.note === null) return null;
  const meaning = ISOLATION_MEANING[tests.isolation].replace(/\.$/, '').toLowerCase();
  const at = tests.note.toLowerCase().indexOf(meaning);
  if (at === -1) return tests.note;
  const rest = tests.note.slice(0, at) + tests.note.slice(at + meaning.length);
  return rest.replace(/^[\s.;]+|[\s.;]+$/g, '') || null;
}

/** `1 fixed, 24 still passing, 421 no longer reported`: the effect of the change on the existing tests. */
export function beforeAfterText(tests: BeforeAfter): string {
  const { stillFailing, noLongerLoads } = splitStillFailing(tests);
  const counts = [
    `${groupDigits(tests.fixed.length)} fixed`,
    `${groupDigits(tests.still_passing.length)} still passing`,
    `${groupDigits(tests.newly_failing.length)} newly failing`,
    `${groupDigits(tests.no_longer_reported?.length ?? 0)} no longer reported`,
    `${groupDigits(noLongerLoads.length)} no longer loading`,
    `${groupDigits(stillFailing.length)} still failing`,
  ].filter((text) => !text.startsWith('0 '));
  return counts.length === 0 ? 'no test ran' : counts.join(', ');
}
