import { describe, expect, test } from 'vitest';
import { compareTests } from '../../report/before-after.ts';
import { sampleEvent, sampleReport } from '../../report/render/sample-report.fixture.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { Report, TestRecord } from '../../schema/report.ts';
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

describe('the before/after comparison is recomputed from the events', () => {
  test('passes if the report agrees', () => {
    expect(
      beforeAfterFaults(
        report(BEFORE, AFTER, { ...failed, blockers: [...failed.blockers] }),
        events(BEFORE, AFTER),
        true,
      ),
    ).toEqual([]);
    expect(beforeAfterFaults(report(BEFORE, BEFORE, {}), events(BEFORE, BEFORE), true)).toEqual([]);
  });

  test('detects a pass with lost tests', () => {
    const faults = beforeAfterFaults(report(BEFORE, AFTER, {}), events(BEFORE, AFTER), true);
    expect(faults).toEqual(REASONS.map((reason) => `the events show ${reason}, which is missing from the blockers`));
  });

  test('detects a comparison that omits lost tests', () => {
    const faults = beforeAfterFaults(
      report(AFTER, AFTER, { ...failed, blockers: [...failed.blockers] }),
      events(BEFORE, AFTER),
      true,
    );
    expect(faults).toEqual(['the before/after test comparison differs from the events']);
  });

  test('detects a reason that the events do not support', () => {
    const faults = beforeAfterFaults(
      report(BEFORE, BEFORE, { blockers: ['tests newly failing: 9'] }),
      events(BEFORE, BEFORE),
      true,
    );
    expect(faults).toEqual(['the events do not show tests newly failing: 9']);
  });

  test('detects a pass without an event for the tests before the change', () => {
    const alone = sampleReport({ baseline: null });
    expect(beforeAfterFaults(alone, [], true)).toEqual([
      'a pass with neither an oracle nor test results from before the change',
    ]);
    expect(beforeAfterFaults(alone, [], false)).toEqual([]);
    expect(beforeAfterFaults(report(BEFORE, BEFORE, {}), events(undefined, BEFORE), true)).toEqual([
      'test results from before the change, which no event records',
    ]);
  });

  test('accepts a report of an earlier version without the comparison', () => {
    const { no_longer_reported: _, ...older } = compareTests(BEFORE, AFTER);
    const old = report(BEFORE, AFTER, {});
    const comparison = { same_status: false, same_patch: false, changed_files: {}, tests: older };
    const stated: Report = { ...old, baseline: { kind: 'before', run_id: 'r', status: 'fail', paths: {}, comparison } };
    expect(beforeAfterFaults(stated, events(undefined, AFTER), true)).toEqual([]);
  });

  test('needs no comparison for a recovered run', () => {
    const recovered = sampleReport({
      status: 'blocked',
      failure_reason: 'run interrupted',
      blockers: ['run interrupted'],
      baseline: null,
    });
    expect(beforeAfterFaults(recovered, events(BEFORE, AFTER), true)).toEqual([]);
  });
});
