import { listRuns, type RunRecord } from '../evidence/bundle/runs.ts';
import type { Report } from '../evidence/schema/report.ts';
import { openQuestions } from '../run/given.ts';
import { questionsOfRunning } from './answer-running.ts';

/** A question that a person can answer now. */
export interface WaitingQuestion {
  readonly run_id: string;
  readonly id: string;
  readonly action: string;
  readonly task: string;
  readonly engine: string;
  readonly asked_at: string;
  /** When it counts as denied; null: it waits as long as the bundle is kept. */
  readonly answer_by: string | null;
}

/** Everything that waits in a runs directory: runs under way first, then ended ones whose change is judged again after a yes. */
export function waitingQuestions(runsDir: string): readonly WaitingQuestion[] {
  const runs = listRuns(runsDir);
  const approved = new Set(runs.flatMap(({ report }) => (report === null ? [] : approvedIn(report))));
  const underWay = runs.filter(({ state }) => state === 'running').flatMap(askedByRunning);
  const ended = runs.flatMap(({ report, state }) => (state === 'sealed' && report !== null ? leftOpen(report) : []));
  return [...underWay, ...ended.filter(({ run_id: run, id }) => !approved.has(answerKey(run, id)))];
}

function askedByRunning({ dir, runId, report }: RunRecord): readonly WaitingQuestion[] {
  if (report === null) return [];
  return questionsOfRunning(dir).map(({ id, action, at, answerBy }) => ({
    run_id: runId,
    id,
    action,
    task: report.task,
    engine: report.backend,
    asked_at: at,
    answer_by: answerBy,
  }));
}

function leftOpen(report: Report): readonly WaitingQuestion[] {
  const open = new Set(openQuestions(report));
  return report.approvals
    .filter(({ id }) => open.has(id))
    .map(({ id, action, at }) => ({
      run_id: report.run_id,
      id,
      action,
      task: report.task,
      engine: report.backend,
      asked_at: at,
      answer_by: null,
    }));
}

const answerKey = (run: string, id: string): string => `${run}\n${id}`;

/** The questions of another run that this one answers. */
function approvedIn({ parent, approvals }: Report): readonly string[] {
  if (parent === undefined) return [];
  return approvals.filter(({ decision }) => decision === 'granted').map(({ id }) => answerKey(parent.run_id, id));
}
