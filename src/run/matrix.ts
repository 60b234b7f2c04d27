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

interface Row {
  readonly name: MisbehaviourName;
  readonly reason: RegExp;
  readonly event: EventType;
  readonly status: Status;
  readonly exit: ExitCode;
}

/** The failure matrix: what each way to go wrong must lead to. */
export const ROWS: readonly Row[] = [
  row('no diff', /^no diff produced$/, 'git.diff.checked', 'fail'),
  row('disallowed file', /^disallowed file changed: UNASKED\.md$/, 'git.diff.checked', 'fail'),
  row('failed tests', /^tests failed$/, 'verification.completed', 'fail'),
  row('missing test command', /^missing test command$/, 'gate.checked', 'blocked'),
  row('missing event', /^missing required event: engine\.tool$/, 'run.completed', 'fail'),
  row('reviewer reject', /^reviewer rejected$/, 'review.completed', 'fail'),
  row('approval denied', /^approval denied: deliver$/, 'approval.denied', 'blocked'),
  row('timeout', /^fake engine failed with exit code 124$/, 'backend.timeout', 'fail'),
  row('timeout after a valid patch', /^fake lifecycle timeout after valid patch$/, 'backend.timeout', 'fail'),
  row('dirty starting tree', /^dirty starting tree$/, 'gate.checked', 'blocked'),
  row('dirty ending tree', /^dirty ending tree$/, 'git.diff.checked', 'fail'),
  {
    ...row('artifact write failure', /^artifact write failed: patch\.diff$/, 'run.completed', 'blocked'),
    exit: EXIT.evidenceLost,
  },
  row('provider unavailable', /^provider unavailable$/, 'provider.unavailable', 'blocked'),
  row('claimed commit not there', /^claimed commit not found$/, 'git.diff.checked', 'fail'),
  row('tests silenced', /^expected tests not reported: \d+$/, 'verification.completed', 'fail'),
];

function row(name: MisbehaviourName, reason: RegExp, event: EventType, status: 'fail' | 'blocked'): Row {
  return { name, reason, event, status, exit: EXIT[status] };
}

export interface RowResult {
  readonly name: string;
  readonly ok: boolean;
  readonly expected: {
    readonly reason: string;
    readonly event: string;
    readonly status: string;
    readonly exit: number;
  };
  readonly seen: {
    readonly reason: string | null;
    readonly events: readonly string[];
    readonly status: string;
    readonly exit: number;
  };
  readonly run: string;
}

/** Runs every row with the fake engine on one task. */
export async function runMatrix(
  order: RunOrder,
  jobs: number,
  onRow: (result: RowResult) => void,
): Promise<RowResult[]> {
  // The slow rows wait for a deadline: started first, they cost nothing.
  const slowFirst = ROWS.toSorted(
    (a, b) => Number(b.name.startsWith('timeout')) - Number(a.name.startsWith('timeout')),
  );
  const results = await inParallel(slowFirst, jobs, order.signal, async (expected) => {
    const report = await runTask(misbehavingOrder(order, MISBEHAVIOURS[expected.name]));
    const result = compareRow(
      expected,
      report,
      readEvents(`${report.run_dir}/${EVENTS_FILE}`).map((event) => event.type),
    );
    onRow(result);
    return result;
  });
  return ROWS.flatMap(({ name }) => results.filter((result) => result.name === name));
}

function compareRow({ name, reason, event, status, exit }: Row, report: Report, events: readonly string[]): RowResult {
  const seen = {
    reason: report.failure_reason,
    events: [...new Set(events)],
    status: report.status,
    exit: exitCodeOf(report),
  };
  const ok = reason.test(seen.reason ?? '') && status === seen.status && exit === seen.exit && events.includes(event);
  return { name, ok, expected: { reason: asText(reason), event, status, exit }, seen, run: report.run_id };
}

function asText(reason: RegExp): string {
  return reason.source.replace(String.raw`\d+`, '<n>').replace(/[\^$\\]/g, '');
}
