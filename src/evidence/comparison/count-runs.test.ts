import { expect, it, test } from 'vitest';
import { REASONS, reason } from '../reasons/catalogue.ts';
import type { Reason } from '../reasons/reason.ts';
import { sampleReport } from '../report/render/sample-report.fixture.ts';
import type { Report } from '../schema/report.ts';
import { classifyRun } from './classify.ts';
import { countRuns } from './count-runs.ts';
import type { RecordedRun } from './read-runs.ts';
import type { ComparisonPlan } from './schema.ts';

const TASK = 'a'.repeat(64);
const PLAN = 'b'.repeat(64);
const plan: ComparisonPlan = {
  schema_version: 1,
  comparison_id: 'c',
  declared_at: '2026-11-17T00:00:00.000Z',
  nonce: '0',
  engines: [{ label: 'fake', engine: 'fake', model: null, options: {}, executable_sha256: null }],
  tasks: [{ name: 't', source: { kind: 'directory', path: '/t' }, task_sha256: TASK }],
  repeat: 2,
  agent_timeout_sec: null,
  budgets: { max_requests: null, max_tokens: null, max_cost_usd: null },
};

function ended(why: Reason | null, changes: Partial<Report> = {}): Report {
  const failure = why === null ? null : why.text;
  return {
    ...sampleReport(),
    backend: 'fake',
    executable: null,
    status: why === null ? 'pass' : why.status === 'fail' ? 'fail' : 'blocked',
    failure_reason: failure,
    blockers: failure === null ? [] : [failure],
    blocker_codes: why === null ? [] : [why.code],
    ...changes,
  };
}

const run = (runId: string, slot: number | null, report: Report, changes: Partial<RecordedRun> = {}): RecordedRun => ({
  runId,
  state: 'sealed',
  report,
  reportSha256: 'c'.repeat(64),
  declared: slot === null ? null : { planSha256: PLAN, slot },
  taskSha256: TASK,
  engineMs: 5,
  ...changes,
});

const count = (...runs: readonly RecordedRun[]) => countRuns(plan, PLAN, runs, REASONS);
const PASS = ended(null);
const KILLED = ended(reason('run_interrupted'));

it('repeats what was interrupted, and counts it nowhere', () => {
  const { runs, open, faults } = count(run('r1', 0, KILLED), run('r2', null, KILLED), run('r3', 0, PASS));
  expect(runs).toEqual([expect.objectContaining({ slot: 0, run_id: 'r3', outcome: 'pass', interrupted: ['r1'] })]);
  expect(open.map(({ slot }) => slot)).toEqual([1]);
  expect(faults).toEqual([]);
});

test.each<[what: string, runs: readonly RecordedRun[], fault: string]>([
  [
    'a place that is run again until it passes',
    [run('r1', 0, ended(reason('tests_failed'))), run('r2', 0, PASS)],
    'r2 repeats fake on t (run 1), which r1 had done',
  ],
  ['a run of no plan', [run('r1', null, PASS)], 'r1 does not belong to this plan'],
  ['a run beyond the plan', [run('r1', 2, PASS)], 'r1 does not belong to this plan'],
  [
    'a run of another plan',
    [run('r1', 0, PASS, { declared: { planSha256: 'd'.repeat(64), slot: 0 } })],
    'r1 does not belong to this plan',
  ],
  ['another engine', [run('r1', 0, { ...PASS, backend: 'pi' })], 'r1 is a run of pi, planned was fake'],
  ['another task', [run('r1', 0, PASS, { taskSha256: 'e'.repeat(64) })], 'r1 had another task than the planned t'],
])('finds %s', (_what, runs, fault) => {
  expect(count(...runs).faults).toEqual([fault]);
});

test.each<[why: Reason, outcome: string, cause: string]>([
  [reason('tests_failed'), 'fail', 'work'],
  [reason('over_budget', { budget: 'max_tokens' }), 'fail', 'work'],
  // An engine must not be able to have its failures left out.
  [reason('pipe_in_tree', { path: 'p' }), 'fail', 'work'],
  [reason('secret_in_patch', { path: 'p' }), 'fail', 'work'],
  [reason('demand_changed', { n: 1 }), 'fail', 'work'],
  [reason('provider_http_error', { status: 503 }), 'not_judged', 'provider'],
  [reason('provider_rate_limited'), 'not_judged', 'limit'],
  [reason('login_expired', { program: 'codex', renew: 'x' }), 'not_judged', 'provider'],
  [reason('model_not_admitted'), 'not_judged', 'setup'],
  [reason('setup_failed', { exit: 1 }), 'not_judged', 'setup'],
  [reason('baseline_failed'), 'not_judged', 'setup'],
  [reason('scratch_full', { dir: '/tmp', why: 'x' }), 'not_judged', 'infrastructure'],
  [reason('internal_error', { step: 'judge', error: 'x' }), 'not_judged', 'infrastructure'],
])('$0.code: $1', (why, outcome, cause) => {
  const report = ended(why, { backend_process_started: true });
  expect(classifyRun(report, REASONS)).toEqual({ outcome, reason: { code: why.code, class: cause, text: why.text } });
});

it('blames no engine that never started', () => {
  const report = ended(reason('link_out', { path: 'l', target: '/' }), { backend_process_started: false });
  expect(classifyRun(report, REASONS)).toMatchObject({ outcome: 'not_judged', reason: { class: 'setup' } });
});
