import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ALL_REASONS } from '../../engines/list.ts';
import { CONTROL_DIR, REPORT_FILE } from '../../evidence/bundle/bundle.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import { readTestOutputEnd } from '../../evidence/report/test-output.ts';
import { blockersIn } from '../../evidence/report/verdict.ts';
import { BASE_RECORD_FILE, baseRecord } from '../../evidence/schema/base-record.ts';
import { parseBytes } from '../../evidence/schema/document.ts';
import type { RunEvent } from '../../evidence/schema/events.ts';
import { report as reportSchema, type Report } from '../../evidence/schema/report.ts';
import type { Budgets } from '../../gateway/types.ts';
import { sha256 } from '../../kernel/digest.ts';
import type { FurtherAttempt } from '../../task/contract.ts';
import type { RunRequest } from '../request.ts';
import { runTask } from '../run.ts';
import { decideRetry } from './decide.ts';
import { feedbackFor } from './feedback.ts';
import { addSpent, NOTHING_SPENT, remainingBudgets, type Spent, spentIn } from './spent.ts';

export interface Retries {
  /** Attempts after the first. */
  readonly max: number;
  /** An attempt did not pass: the next one begins, or `why` there is none. */
  onFailed(report: Report, next: { readonly attempt: number; readonly of: number } | { readonly why: string }): void;
}

/** Runs a task until an attempt passes, or another is pointless or not allowed. Each attempt is a bundle; the last one's report decides. */
export async function runAttempts(request: RunRequest, retries: Retries): Promise<Report> {
  if (retries.max === 0) return runTask(request);
  const { environment, terms, signal } = request;
  const maxAttempts = retries.max + 1;
  const earlier: FurtherAttempt['earlier'] = [];
  let spent: Spent = NOTHING_SPENT;
  let budgets: Budgets = {};
  let next: RunRequest = {
    ...request,
    inputs: { ...request.inputs, disposable: false },
    environment: {
      ...environment,
      models: {
        ...environment.models,
        budgets: (record) => remainingBudgets((budgets = environment.models.budgets(record)), spent),
      },
    },
  };
  for (;;) {
    const report = await runTask(next);
    const events = readEvents(join(report.run_dir, EVENTS_FILE));
    spent = addSpent(spent, spentIn(report, events));
    const attempts = earlier.length + 1;
    const timeLimitSec = terms.agent_timeout_sec;
    const facts = { report, attempts, maxAttempts, interrupted: signal.aborted, timeLimitSec, budgets, spent };
    const decision = decideRetry(facts, ALL_REASONS);
    if (report.status === 'pass') return report;
    if (!decision.retry) {
      retries.onFailed(report, decision);
      return report;
    }
    earlier.push(earlierAttempt(report, report.status));
    retries.onFailed(report, { attempt: attempts + 1, of: maxAttempts });
    next = furtherRequest(next, report, events, [...earlier], timeLimitSec - spent.seconds);
  }
}

function earlierAttempt(report: Report, status: 'fail' | 'blocked'): FurtherAttempt['earlier'][number] {
  const { run_id, run_dir: dir, failure_reason } = report;
  return { run_id, report_sha256: sha256(readFileSync(join(dir, REPORT_FILE))), status, failure_reason };
}

function furtherRequest(
  request: RunRequest,
  report: Report,
  events: readonly RunEvent[],
  earlier: FurtherAttempt['earlier'],
  secondsLeft: number,
): RunRequest {
  const { previousWork: _before, ...same } = request;
  const startsFrom = canContinue(request, report) ? 'previous_work' : 'base';
  const feedback = feedbackFor(
    {
      report,
      blockers: blockersIn(events),
      testOutputEnd: readTestOutputEnd(join(report.run_dir, 'test.log')),
      startsFrom,
      sealedIds: request.inputs.testsDir === null ? null : knownIds(request, report),
    },
    ALL_REASONS,
  );
  const attempt = { earlier, feedback, starts_from: startsFrom, time_left_sec: secondsLeft } as const;
  return {
    ...same,
    terms: { ...request.terms, attempt },
    ...(startsFrom === 'base' ? {} : { previousWork: report.run_dir }),
  };
}

/** An engine that has to commit starts from a clean tree, and only a whole change can be laid there again. */
function canContinue({ terms }: RunRequest, { frozen_tree: tree, changed_files: changed }: Report): boolean {
  return !terms.must_commit && tree?.examined === 'complete' && changed.length > 0;
}

/** Tests that the task names, or that a run without the engine's change reported: the control's, or the one on the base. */
function knownIds({ terms }: RunRequest, { run_dir: dir, base_record: record, baseline }: Report): ReadonlySet<string> {
  const base = (record ?? null) === null ? null : parseBytes(readFileSync(join(dir, BASE_RECORD_FILE)), baseRecord);
  const control =
    baseline?.kind === 'oracle' ? parseBytes(readFileSync(join(dir, CONTROL_DIR, REPORT_FILE)), reportSchema) : null;
  const seen = [
    ...(base?.ok === true ? base.value.tests : []),
    ...(control?.ok === true ? control.value.tests.seen : []),
  ];
  return new Set([...(terms.expected_tests ?? []), ...seen.map(({ id }) => id)]);
}
