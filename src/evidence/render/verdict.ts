import type { Status } from '../schema/parts.ts';
import type { Report } from '../schema/report.ts';
import { explainReason } from './explain.ts';
import { STATUS_MEANING, STATUS_WORD, durationText } from './words.ts';

export interface Blocker {
  readonly reason: string;
  readonly means: string;
}

/** What the first screen says. */
export interface Verdict {
  readonly status: Status;
  readonly word: string;
  readonly meaning: string;
  readonly task: string;
  readonly engine: string;
  readonly took: string | null;
  /** The reason that decided; null for a pass. */
  readonly reason: Blocker | null;
  readonly further: readonly Blocker[];
}

export function verdictOf(report: Report): Verdict {
  const reasons = distinctReasons(report).map((reason) => ({ reason, means: explainReason(reason) }));
  return {
    status: report.status,
    word: STATUS_WORD[report.status],
    meaning: STATUS_MEANING[report.status],
    task: report.task,
    engine: report.backend,
    took: report.duration_ms === null ? null : durationText(report.duration_ms),
    reason: reasons[0] ?? null,
    further: reasons.slice(1),
  };
}

/** The deciding reason first, then every further blocker, none twice. */
function distinctReasons(report: Report): readonly string[] {
  const first = report.failure_reason === null ? [] : [report.failure_reason];
  return [...new Set([...first, ...report.blockers])];
}

/** Run ids are made of plain characters; anything else is quoted, so that the line can be pasted into a shell. */
export function verifyCommand(report: Report): string {
  const id = report.run_id;
  return `seatrial verify ${/^[A-Za-z0-9._-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`}`;
}
