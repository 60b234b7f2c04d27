import { reason } from '../reasons/catalogue.ts';
import type { RunEvent } from '../schema/events.ts';
import { type FrozenTree, type Report, testRecord, type TestRecord } from '../schema/report.ts';

const INTERRUPTED = reason('run_interrupted');

export interface RecoveredFacts {
  /** The report written when the run was created. */
  readonly born: Report;
  /** All events; the last is the `run.completed` that recovery added. */
  readonly events: readonly RunEvent[];
  /** Time of the run's own last event. */
  readonly lastSeenAt: string;
  readonly frozenTree: FrozenTree;
  readonly patch: Report['patch'];
  readonly artifacts: Report['artifacts'];
  readonly digests: Report['digests'];
}

/** The report of an interrupted run, derived from its events. Never a pass. */
export function recoveredReport({ born, events, lastSeenAt, frozenTree, ...found }: RecoveredFacts): Report {
  const told = events.reduce(tell, born);
  const completed = events.at(-1);
  const missing = completed?.type === 'run.completed' ? completed.data.missing_events : born.missing_events;
  return {
    ...told,
    status: 'blocked',
    failure_reason: INTERRUPTED.text,
    blockers: [INTERRUPTED.text],
    blocker_codes: [INTERRUPTED.code],
    run_ended_at: lastSeenAt,
    duration_ms: Math.max(0, Date.parse(lastSeenAt) - Date.parse(born.run_started_at)),
    frozen_tree: frozenTree,
    ...found,
    required_events_passed: missing.length === 0,
    missing_events: missing,
    freshness: { ...born.freshness, chain_head: completed?.hash ?? born.freshness.chain_head },
  };
}

function tell(report: Report, event: RunEvent): Report {
  switch (event.type) {
    case 'backend.started':
      return { ...report, backend_process_started: true };
    case 'backend.exited':
      return { ...report, backend_exit_code: event.data.exit_code, backend_completion: event.data.completion };
    case 'backend.timeout':
      return { ...report, backend_exit_code: 124, backend_completion: 'timed_out' };
    case 'backend.completed_by_harness':
      return { ...report, backend_exit_code: null, backend_completion: 'completed_by_harness' };
    case 'model.request':
      return { ...report, usage: { ...report.usage, requests: (report.usage.requests ?? 0) + 1 } };
    case 'provision.completed':
      return { ...report, provision: event.data };
    case 'git.diff.checked':
      return {
        ...report,
        changed_files: event.data.changed_files,
        disallowed_writes: event.data.disallowed_writes,
        ignored_files: event.data.ignored_files,
      };
    case 'verification.completed': {
      const { command, passed, exit_code, isolation, tests } = event.data;
      return { ...report, tests: { ...report.tests, command, passed, exit_code, isolation, seen: testRecords(tests) } };
    }
    default:
      return report;
  }
}

function testRecords(tests: readonly unknown[]): TestRecord[] {
  return tests.flatMap((test) => {
    const parsed = testRecord.safeParse(test);
    return parsed.success ? [parsed.data] : [];
  });
}
