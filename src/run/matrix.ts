import type { EventType } from '../evidence/schema/events.ts';
import type { Status } from '../evidence/schema/parts.ts';
import type { Report } from '../evidence/schema/report.ts';
import { MISBEHAVIOURS, type MisbehaviourName } from '../engines/fake/misbehaviours.ts';
import { readEvents, EVENTS_FILE } from '../evidence/events.ts';
import { EXIT, type ExitCode } from '../kernel/exit-codes.ts';
import { misbehavingOrder } from './misbehaving.ts';
import type { RunOrder } from './order.ts';
import { inParallel } from './parallel.ts';
import { exitCodeOf, runTask } from './run-task.ts';

interface Expected {
  readonly reason: RegExp;
  readonly event: EventType;
  readonly status: Status;
  readonly exit: ExitCode;
}

/** The failure matrix: what each way to go wrong must lead to. */
export const ROWS: Readonly<Record<MisbehaviourName, Expected>> = {
  'no diff': row(/^no diff produced$/, 'git.diff.checked', 'fail'),
  'disallowed file': row(/^disallowed file changed: UNASKED\.md$/, 'git.diff.checked', 'fail'),
  'failed tests': row(/^tests failed$/, 'verification.completed', 'fail'),
  'missing test command': row(/^missing test command$/, 'gate.checked', 'blocked'),
  'missing event': row(/^missing required event: engine\.tool$/, 'run.completed', 'fail'),
  'reviewer reject': row(/^reviewer rejected$/, 'review.completed', 'fail'),
  'approval denied': row(/^approval denied: deliver$/, 'approval.denied', 'blocked'),
  timeout: row(/^fake engine failed with exit code 124$/, 'backend.timeout', 'fail'),
  'timeout after a valid patch': row(/^fake lifecycle timeout after valid patch$/, 'backend.timeout', 'fail'),
  'dirty starting tree': row(/^dirty starting tree$/, 'gate.checked', 'blocked'),
  'dirty ending tree': row(/^dirty ending tree$/, 'git.diff.checked', 'fail'),
  'artifact write failure': { ...row(/^artifact write failed: patch\.diff$/, 'run.completed', 'blocked'), exit: EXIT.evidenceLost },
  'provider unavailable': row(/^provider unavailable$/, 'provider.unavailable', 'blocked'),
  'claimed commit not there': row(/^claimed commit not found$/, 'git.diff.checked', 'fail'),
  'tests silenced': row(/^expected tests not reported: \d+$/, 'verification.completed', 'fail'),
};

function row(reason: RegExp, event: EventType, status: 'fail' | 'blocked'): Expected {
  return { reason, event, status, exit: EXIT[status] };
}

export interface RowResult {
  readonly name: string;
  readonly ok: boolean;
  readonly expected: { readonly reason: string; readonly event: string; readonly status: string; readonly exit: number };
  readonly seen: { readonly reason: string | null; readonly events: readonly string[]; readonly status: string; readonly exit: number };
  readonly run: string;
}

/** Runs every row with the fake engine on one task. */
export async function runMatrix(order: RunOrder, jobs: number, onRow: (result: RowResult) => void): Promise<RowResult[]> {
  const names = Object.keys(MISBEHAVIOURS) as MisbehaviourName[];
  // The slow rows wait for a deadline: started first, they cost nothing.
  const slowFirst = names.toSorted((a, b) => Number(b.startsWith('timeout')) - Number(a.startsWith('timeout')));
  const results = await inParallel(slowFirst.length, jobs, order.signal, async (index) => {
    const name = slowFirst[index] ?? 'no diff';
    const report = await runTask(misbehavingOrder(order, MISBEHAVIOURS[name]));
    const result = compareRow(name, ROWS[name], report, readEvents(`${report.run_dir}/${EVENTS_FILE}`).map((event) => event.type));
    onRow(result);
    return result;
  });
  return results.toSorted((a, b) => names.findIndex((name) => name === a.name) - names.findIndex((name) => name === b.name));
}

function compareRow(name: string, expected: Expected, report: Report, events: readonly string[]): RowResult {
  const exit = exitCodeOf(report);
  const ok =
    expected.reason.test(report.failure_reason ?? '') &&
    expected.status === report.status &&
    expected.exit === exit &&
    events.includes(expected.event);
  return {
    name,
    ok,
    expected: { reason: expected.reason.source.replace(/[\^$\\]/g, ''), event: expected.event, status: expected.status, exit: expected.exit },
    seen: { reason: report.failure_reason, events: [...new Set(events)], status: report.status, exit },
    run: report.run_id,
  };
}
