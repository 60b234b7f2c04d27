import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { sha256 } from '../../kernel/digest.ts';
import { REPORT_FILE } from '../bundle/bundle.ts';
import { listRuns, type RunRecord } from '../bundle/runs.ts';
import { engineMs } from '../log/engine-time.ts';
import { EVENTS_FILE, readEvents } from '../log/events.ts';
import { CONTRACT_FILE } from '../log/required-events.ts';
import type { Report } from '../schema/report.ts';
import { runsOf } from './store.ts';
import { digestOfAsked } from './task-digest.ts';

/** A bundle of a comparison, as far as it matters to the plan. */
export interface RecordedRun {
  readonly runId: string;
  readonly state: RunRecord['state'];
  /** Null: it cannot be read. */
  readonly report: Report | null;
  readonly reportSha256: string;
  /** The place in a plan that its contract names; null: it ended before there was a contract, or names none. */
  readonly declared: { readonly planSha256: string; readonly slot: number } | null;
  readonly taskSha256: string | null;
  readonly engineMs: number | null;
}

/** Every run of a comparison, in the order they began. Writes nothing. */
export function readComparisonRuns(dir: string): readonly RecordedRun[] {
  const startOf = ({ report, runId }: RecordedRun): string => `${report?.run_started_at ?? ''} ${runId}`;
  return listRuns(runsOf(dir))
    .map(readOne)
    .toSorted((a, b) => (startOf(a) < startOf(b) ? -1 : 1));
}

const declaring = z.looseObject({
  declared: z.optional(z.object({ plan_sha256: z.string(), slot: z.int() })),
});

function readOne({ runId, dir, state, report }: RunRecord): RecordedRun {
  const contract = orNull(() => declaring.parse(JSON.parse(readFileSync(join(dir, CONTRACT_FILE), 'utf8'))));
  const declared = contract?.declared;
  return {
    runId,
    state,
    report,
    reportSha256: orNull(() => sha256(readFileSync(join(dir, REPORT_FILE)))) ?? '',
    declared: declared === undefined ? null : { planSha256: declared.plan_sha256, slot: declared.slot },
    taskSha256: contract === null ? null : digestOfAsked(contract),
    engineMs: orNull(() => engineMs(readEvents(join(dir, EVENTS_FILE)))),
  };
}

/** What cannot be read counts as missing here; verifying the bundle says why. */
function orNull<T>(read: () => T): T | null {
  try {
    return read();
  } catch {
    return null;
  }
}
