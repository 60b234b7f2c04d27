import { describe, expect, test } from 'vitest';
import { compareTests } from '../report/before-after.ts';
import { sampleEvent, sampleReport } from '../report/render/sample-report.fixture.ts';
import type { RunEvent } from '../schema/events.ts';
import type { Report, TestRecord } from '../schema/report.ts';
import { beforeAfterFaults } from './before-after-check.ts';

const passed = (...ids: string[]): TestRecord[] => ids.map((id) => ({ id, outcome: 'passed' }));
const BEFORE = passed('a', 'b', 'c');
const AFTER: TestRecord[] = [...passed('a'), { id: 'b', outcome: 'failed' }];
const REASONS = ['tests newly failing: 1', 'tests no longer reported: 1'];

function events(before: TestRecord[] | undefined, after: TestRecord[]): RunEvent[] {
  const control = { run_id: 'r', status: 'fail' as const, reason: 'no diff produced' };
  return [
    sampleEvent(1, 'verification.completed', {
      command: 'pytest',
      passed: false,
      exit_code: 1,
      isolation: 'in_process',
      tests: after,
      faults: [],
    }),
    sampleEvent(2, 'baseline.completed', before === undefined ? control : { ...control, tests: before }),
  ];
}

function report(before: TestRecord[], after: TestRecord[], changes: Partial<Report>): Report {
  const comparison = { same_status: false, same_patch: false, changed_files: {}, tests: compareTests(before, after) };
  return sampleReport({ baseline: { kind: 'before', run_id: 'r', status: 'fail', paths: {}, comparison }, ...changes });
}

const failed = { status: 'fail', failure_reason: 'tests failed', blockers: [...REASONS, 'tests failed'] } as const;

describe('what a change did to the tests is worked out again from the events', () => {
  test('and holds where the report says the same', () => {
    expect(
      beforeAfterFaults(
        report(BEFORE, AFTER, { ...failed, blockers: [...failed.blockers] }),
        events(BEFORE, AFTER),
        true,
      ),
    ).toEqual([]);
    expect(beforeAfterFaults(report(BEFORE, BEFORE, {}), events(BEFORE, BEFORE), true)).toEqual([]);
  });

  test('so that a pass with lost tests is found', () => {
    const faults = beforeAfterFaults(report(BEFORE, AFTER, {}), events(BEFORE, AFTER), true);
    expect(faults).toEqual(REASONS.map((reason) => `the events show ${reason}, which is not among the blockers`));
  });

  test('and a comparison that leaves them out', () => {
    const faults = beforeAfterFaults(
      report(AFTER, AFTER, { ...failed, blockers: [...failed.blockers] }),
      events(BEFORE, AFTER),
      true,
    );
    expect(faults).toEqual(['the tests before and after the change differ from the events']);
  });

  test('and a reason that the events do not give', () => {
    const faults = beforeAfterFaults(
      report(BEFORE, BEFORE, { blockers: ['tests newly failing: 9'] }),
      events(BEFORE, BEFORE),
      true,
    );
    expect(faults).toEqual(['the events do not show tests newly failing: 9']);
  });

  test('and a pass whose tests before the change are in no event', () => {
    const alone = sampleReport({ baseline: null });
    expect(beforeAfterFaults(alone, [], true)).toEqual([
      'a pass without an oracle and without the tests before the change',
    ]);
    expect(beforeAfterFaults(alone, [], false)).toEqual([]);
    expect(beforeAfterFaults(report(BEFORE, BEFORE, {}), events(undefined, BEFORE), true)).toEqual([
      'tests before the change, which no event holds',
    ]);
  });

  test('while a report from before this was decided stays what it was', () => {
    const { no_longer_reported: _, ...older } = compareTests(BEFORE, AFTER);
    const old = report(BEFORE, AFTER, {});
    const comparison = { same_status: false, same_patch: false, changed_files: {}, tests: older };
    const stated: Report = { ...old, baseline: { kind: 'before', run_id: 'r', status: 'fail', paths: {}, comparison } };
    expect(beforeAfterFaults(stated, events(undefined, AFTER), true)).toEqual([]);
  });

  test('and a recovered run needs no comparison', () => {
    const recovered = sampleReport({
      status: 'blocked',
      failure_reason: 'run interrupted',
      blockers: ['run interrupted'],
      baseline: null,
    });
    expect(beforeAfterFaults(recovered, events(BEFORE, AFTER), true)).toEqual([]);
  });
});
