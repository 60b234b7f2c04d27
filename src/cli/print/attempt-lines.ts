import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { REPORT_FILE } from '../../evidence/bundle/bundle.ts';
import { readRun, runNames, type RunRecord } from '../../evidence/bundle/runs.ts';
import { safeLine } from '../../evidence/report/render/terminal.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { table } from './table.ts';

/** All attempts of `run --retry` that this run belongs to; no lines if there was only one. */
export function attemptLines(report: Report, dir: string): readonly string[] {
  const attempts = [...earlierThan(report, dir), readRun(dir), ...laterThan(report, dir)];
  if (attempts.length === 1) return [];
  const rows = attempts.map(({ runId, state, report: one }) => [
    String(one?.attempt ?? 1),
    state === 'sealed' ? (one?.status ?? '') : state,
    runId,
    one?.failure_reason ?? '',
  ]);
  return ['', ...table(['ATTEMPT', 'STATUS', 'RUN', 'REASON'], rows).map(safeLine)];
}

/** Bounds a chain that was made to have no end. */
const MAX_ATTEMPTS = 1000;

function earlierThan({ previous_run: previous }: Report, dir: string): RunRecord[] {
  if ((previous ?? null) === null) return [];
  const found: RunRecord[] = [];
  const siblings = new Set(runNames(dirname(resolve(dir))));
  for (let id = previous?.run_id; id !== undefined && siblings.has(id) && found.length < MAX_ATTEMPTS;) {
    const run = readRun(join(dirname(resolve(dir)), id));
    found.unshift(run);
    id = run.report?.previous_run?.run_id;
  }
  return found;
}

function laterThan({ run_id: runId }: Report, dir: string): RunRecord[] {
  const found: RunRecord[] = [];
  const [second = ''] = runId.split('-');
  const runsDir = dirname(resolve(dir));
  const names = runNames(runsDir).filter((name) => name >= second && name !== runId);
  for (let id: string | undefined = runId; id !== undefined && found.length < MAX_ATTEMPTS;) {
    const next = runAfter(id, names, runsDir);
    if (next !== undefined) found.push(next);
    id = next?.runId;
  }
  return found;
}

/** Only reports that contain the id are parsed: there may be thousands of others. */
function runAfter(id: string, names: readonly string[], runsDir: string): RunRecord | undefined {
  for (const name of names) {
    if (!contains(join(runsDir, name, REPORT_FILE), `"${id}"`)) continue;
    const run = readRun(join(runsDir, name));
    if (run.report?.previous_run?.run_id === id) return run;
  }
  return undefined;
}

function contains(file: string, text: string): boolean {
  try {
    return readFileSync(file).includes(text);
  } catch {
    return false; // it was pruned in the meantime, or belongs to another user
  }
}
