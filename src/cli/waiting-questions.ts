import { statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { readApprovalAnswer } from '../evidence/bundle/answers.ts';
import { listRuns, type RunRecord } from '../evidence/bundle/runs.ts';
import type { Report } from '../evidence/schema/report.ts';
import { DECIDING_QUESTION } from '../run/approvals/deciding.ts';
import { openQuestions } from '../run/given.ts';
import { questionsOfRunning } from './answer-running.ts';

/** A question that a person can answer now. */
export interface WaitingQuestion {
  readonly run_id: string;
  readonly id: string;
  readonly action: string;
  readonly kind: 'tool' | 'task' | 'deciding' | 'landing' | 'delivery';
  /** The user whose run it is, who can answer it. */
  readonly for: string;
  readonly task: string;
  readonly engine: string;
  readonly asked_at: string;
  /** When it counts as denied; null: an earlier version asked it, and it waits as long as the bundle is kept. */
  readonly answer_by: string | null;
}

/** Everything that waits in a runs directory: runs under way first, then ended ones whose change is judged again after a yes. */
export function waitingQuestions(runsDir: string, now: Date): readonly WaitingQuestion[] {
  const runs = listRuns(runsDir);
  const approved = new Set(runs.flatMap(({ report }) => (report === null ? [] : approvedIn(report))));
  const underWay = runs.filter(({ state }) => state === 'running').flatMap(askedByRunning);
  const ended = runs.filter(({ state }) => state === 'sealed').flatMap(leftOpen);
  const waits = ({ run_id: runId, id, answer_by: by }: WaitingQuestion): boolean =>
    !approved.has(answerKey(runId, id)) &&
    (by === null || now <= new Date(by)) &&
    readApprovalAnswer({ runsDir, runId, ended: true }, id)?.decision !== 'denied';
  return [...underWay, ...ended.filter(waits)];
}

function askedByRunning({ dir, runId, report }: RunRecord): readonly WaitingQuestion[] {
  if (report === null) return [];
  return questionsOfRunning(dir).map(({ id, action, at, answerBy }) => ({
    run_id: runId,
    id,
    action,
    ...about(dir, report, id, action),
    asked_at: at,
    answer_by: answerBy,
  }));
}

function leftOpen({ dir, report }: RunRecord): readonly WaitingQuestion[] {
  if (report === null) return [];
  const open = new Set(openQuestions(report));
  return report.approvals
    .filter(({ id }) => open.has(id))
    .map(({ id, action, at, answer_by: by }) => ({
      run_id: report.run_id,
      id,
      action,
      ...about(dir, report, id, action),
      asked_at: at,
      answer_by: by ?? null,
    }));
}

function about(
  dir: string,
  { task, backend }: Report,
  id: string,
  action: string,
): Pick<WaitingQuestion, 'kind' | 'for' | 'task' | 'engine'> {
  return { kind: kindOf(id, action), for: ownerOf(dir), task, engine: backend };
}

function kindOf(id: string, action: string): WaitingQuestion['kind'] {
  if (id.startsWith(DECIDING_QUESTION)) return 'deciding';
  if (id.startsWith('permission-')) return 'tool';
  if (action.startsWith('land ')) return 'landing';
  return /^deliver\b/.test(action) ? 'delivery' : 'task';
}

function ownerOf(dir: string): string {
  const { uid } = statSync(dir);
  const { uid: own, username } = userInfo();
  return uid === own ? username : `user ${uid}`;
}

const answerKey = (run: string, id: string): string => `${run}\n${id}`;

/** The questions of another run that this one answers. */
function approvedIn({ parent, approvals }: Report): readonly string[] {
  if (parent === undefined) return [];
  return approvals.filter(({ decision }) => decision === 'granted').map(({ id }) => answerKey(parent.run_id, id));
}
