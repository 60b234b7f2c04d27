import { regressionsIn } from '../before-after.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { Status } from '../../schema/parts.ts';
import type { Report } from '../../schema/report.ts';
import { type Words, quote } from './document.ts';
import { explainReason } from '../../reasons/explain.ts';
import { isGated, modelName } from './text/who.ts';
import { STATUS_MEANING, STATUS_WORD, durationText } from './text/words.ts';

export interface BlockerView {
  readonly reason: string;
  readonly means: string;
  /** What was found there: in the words of the check or of the gateway, or the tests by name. */
  readonly found: string | null;
}

/** What the first screen says. */
export interface VerdictView {
  readonly status: Status;
  readonly word: string;
  readonly meaning: string;
  readonly task: string;
  readonly engine: string;
  readonly took: string | null;
  /** Who ran, with what, and for how long: a sentence. */
  readonly byline: Words;
  /** The reason that decided; null for a pass. */
  readonly reason: BlockerView | null;
  readonly further: readonly BlockerView[];
}

export function verdictOf(report: Report, events: readonly RunEvent[]): VerdictView {
  const reasons = distinctReasons(report).map((reason) => ({
    reason,
    means: explainReason(reason),
    found: testsOf(reason, report) ?? foundFor(reason, events),
  }));
  const took = report.duration_ms === null ? null : durationText(report.duration_ms);
  return {
    status: report.status,
    word: STATUS_WORD[report.status],
    meaning: STATUS_MEANING[report.status],
    task: report.task,
    engine: report.backend,
    took,
    byline: bylineOf(report, took),
    reason: reasons[0] ?? null,
    further: reasons.slice(1),
  };
}

function bylineOf(report: Report, took: string | null): Words {
  const engine = quote(report.backend);
  if (isGated(report) && !report.backend_process_started) return ['Engine ', engine, ' was not started.'];
  const stage = report.stage === null ? '' : ` at stage ${report.stage}`;
  const model = report.model === null ? [] : [' with ', quote(modelName(report.model))];
  return ['Engine ', engine, stage, ...model, took === null ? '' : ` in ${took}`, '.'];
}

const MAX_TESTS = 20;

function testsOf(reason: string, { baseline }: Report): string | null {
  const found = regressionsIn(baseline?.comparison.tests ?? null).find((regression) => regression.reason === reason);
  if (found === undefined) return null;
  const left = found.ids.length - MAX_TESTS;
  return `${found.ids.slice(0, MAX_TESTS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function foundFor(reason: string, events: readonly RunEvent[]): string | null {
  const cause = events.findLast(
    (event) =>
      (event.type === 'gate.checked' && event.data.reason === reason) ||
      (event.type === 'provider.unavailable' && reason.startsWith('provider ')),
  );
  return cause?.type === 'gate.checked' || cause?.type === 'provider.unavailable' ? cause.data.detail : null;
}

/** The deciding reason first, then every further blocker, none twice. */
function distinctReasons(report: Report): readonly string[] {
  const first = report.failure_reason === null ? [] : [report.failure_reason];
  return [...new Set([...first, ...report.blockers])];
}

/** Run ids are made of plain characters; anything else is quoted, so that the line can be pasted into a shell. */
export function verifyCommandLine(report: Report): string {
  const id = report.run_id;
  return `seatrial verify ${/^[A-Za-z0-9._-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`}`;
}
