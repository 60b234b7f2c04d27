import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import { syncDir } from '../storage/durable.ts';
import { reportingWrite } from '../storage/write-failed.ts';
import { appendWhileLocked, ledgerLock, ledgerPath, readLedger } from './ledger.ts';
import { liveRunIds, type ProcessTable, systemProcesses } from './running.ts';
import { withLock } from '../storage/lock.ts';
import { refuseLinks } from '../storage/no-follow.ts';
import { isRunning, listRuns, type RunRecord, runNames } from './runs.ts';
import { storeDir, sweepStore } from './store.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const LEAVING_PREFIX = '.pruned-';

/** With both options, removes only runs that are beyond the newest `keep` and older than `olderThanDays`. */
export interface PruneRules {
  readonly keep?: number;
  readonly olderThanDays?: number;
}

export interface PrunableRun {
  readonly runId: string;
  readonly state: RunRecord['state'];
  readonly startedAt: string;
}

/** The runs to remove, oldest first. Running runs are neither removed nor counted. */
export function selectForPruning<R extends PrunableRun>(
  runs: readonly R[],
  rules: PruneRules,
  now: Date,
): readonly R[] {
  const { keep, olderThanDays } = rules;
  if (keep === undefined && olderThanDays === undefined) return [];
  const ended = runs.filter(({ state }) => state !== 'running');
  const newestFirst = ended.toSorted((a, b) => (a.startedAt === b.startedAt ? 0 : a.startedAt < b.startedAt ? 1 : -1));
  const beyondKeep = newestFirst.slice(keep ?? 0);
  const limit = now.getTime() - (olderThanDays ?? 0) * DAY_MS;
  const old = olderThanDays === undefined ? beyondKeep : beyondKeep.filter((run) => Date.parse(run.startedAt) < limit);
  return old.toReversed();
}

export interface Pruned {
  readonly runs: readonly string[];
  /** Digests of stored inputs that no remaining run needs. */
  readonly blobs: readonly string[];
}

/** Removes old runs. The ledger records each removal first, so that it explains every missing run. */
export async function pruneRuns(
  runsDirectory: string,
  rules: PruneRules,
  { clock, processes = systemProcesses }: { readonly clock: Clock; readonly processes?: ProcessTable },
): Promise<Pruned> {
  const runsDir = resolve(runsDirectory);
  refuseNonsense(rules);
  if (runNames(runsDir).length === 0) return { runs: [], blobs: [] };
  refuseLinks(runsDir, ledgerPath(runsDir), storeDir(runsDir));
  return withLock(ledgerLock(runsDir), () => {
    const candidates = listRuns(runsDir, processes).flatMap((run) =>
      run.report === null ? [] : [{ ...run, startedAt: run.report.run_started_at }],
    );
    const leaving = selectForPruning(candidates, rules, clock.now());
    const recorded = new Set(readLedger(runsDir).flatMap((entry) => (entry.kind === 'pruned' ? [entry.run_id] : [])));
    const unrecorded = leaving.filter(({ runId }) => !recorded.has(runId));
    const reason = describeRules(rules);
    if (unrecorded.length > 0) {
      appendWhileLocked(
        runsDir,
        clock,
        unrecorded.map(({ runId }) => ({ kind: 'pruned', run_id: runId, reason })),
      );
    }
    for (const { runId, dir } of leaving) {
      reportingWrite(dir, () => renameSync(dir, join(runsDir, `${LEAVING_PREFIX}${runId}`)));
    }
    if (leaving.length > 0) syncDir(runsDir);
    removeLeaving(runsDir);
    const isAnyRunning = (): boolean => liveRunIds(runsDir).some((runId) => isRunning(runsDir, runId, processes));
    const staying = runNames(runsDir).map((name) => join(runsDir, name));
    return { runs: leaving.map(({ runId }) => runId), blobs: sweepStore(runsDir, staying, isAnyRunning) };
  });
}

/** Also finishes an earlier prune that was interrupted. */
function removeLeaving(runsDir: string): void {
  for (const name of readdirSync(runsDir)) {
    if (name.startsWith(LEAVING_PREFIX)) rmSync(join(runsDir, name), { recursive: true, force: true });
  }
}

function refuseNonsense({ keep, olderThanDays }: PruneRules): void {
  const bad = (value: number | undefined): boolean => value !== undefined && !(value >= 0 && Number.isFinite(value));
  if (keep === undefined && olderThanDays === undefined) {
    throw new SeatrialError(
      'usage',
      'nothing to prune by: give the number of runs to keep, a minimum age in days, or both',
    );
  }
  if (bad(keep) || bad(olderThanDays) || !Number.isInteger(keep ?? 0)) {
    throw new SeatrialError('usage', 'the number of runs to keep and the age in days must be 0 or more');
  }
}

function describeRules({ keep, olderThanDays }: PruneRules): string {
  const parts = [
    ...(keep === undefined ? [] : [`beyond the newest ${keep}`]),
    ...(olderThanDays === undefined ? [] : [`older than ${olderThanDays} days`]),
  ];
  return parts.join(' and ');
}
