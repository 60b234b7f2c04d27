import { regressionsIn } from '../before-after.ts';
import type { RunEvent } from '../../schema/events.ts';
import type { Status } from '../../schema/parts.ts';
import type { Report } from '../../schema/report.ts';
import { type Words, quote } from './document.ts';
import { codesOf, explainCode } from '../../reasons/explain.ts';
import type { ReasonCatalogue } from '../../reasons/reason.ts';
import type { ReportView } from './view.ts';
import { proofText } from './proof-text.ts';
import { isGated, modelName } from './text/who.ts';
import { STATUS_MEANING, STATUS_WORD, durationText } from './text/words.ts';

export interface BlockerView {
  readonly reason: string;
  readonly meaning: string;
  readonly next: Words;
  /** The check that refused; null: no check did. */
  readonly gate: string | null;
  /** The words of the check or of the gateway, the tests by name, or why files were refused. */
  readonly found: string | null;
}

/** What a verdict is shown from. */
export type VerdictFacts = Pick<ReportView, 'report' | 'events' | 'reasons' | 'testOutputEnd' | 'setupOutputEnd'>;

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
  /** What lowers the worth of every result below; null: nothing. */
  readonly warning: string | null;
  /** What a change to a repository has proven; null: no such change. */
  readonly proof: string | null;
  /** The reason that decided; null for a pass. */
  readonly reason: BlockerView | null;
  readonly further: readonly BlockerView[];
}

export function verdictOf({ report, events, reasons: known }: VerdictFacts): VerdictView {
  const reasons = distinctReasons(report, known).map((given) => blockerView(given, report, events, known));
  const took = report.duration_ms === null ? null : durationText(report.duration_ms);
  return {
    status: report.status,
    word: STATUS_WORD[report.status],
    meaning: STATUS_MEANING[report.status],
    task: report.task,
    engine: report.backend,
    took,
    byline: bylineOf(report, took),
    warning:
      report.confinement?.kind === 'none'
        ? 'Unconfined: engine and tests ran without a sandbox, with the rights of the caller. This is no evidence for a stage.'
        : null,
    proof: report.proof === undefined || report.status !== 'pass' ? null : proofText(report),
    reason: reasons[0] ?? null,
    further: reasons.slice(1),
  };
}

function bylineOf(report: Report, took: string | null): Words {
  const engine = quote(report.backend);
  if (report.judged_commit !== undefined)
    return ['Commit ', quote(report.judged_commit), ' was judged; no engine ran', took === null ? '.' : `, ${took}.`];
  if (report.parent !== undefined && report.landing !== undefined)
    return [
      'The change of run ',
      quote(report.parent.run_id),
      ' by ',
      engine,
      ' was judged merged with ',
      quote(report.landing.onto.replace(/^refs\/heads\//, '')),
      ' at ',
      quote(report.landing.tip.slice(0, 12)),
      '; no engine ran.',
    ];
  if (report.parent !== undefined)
    return [
      'The change of run ',
      quote(report.parent.run_id),
      ' by ',
      engine,
      ' was judged again after an approval; no engine ran.',
    ];
  if (isGated(report) && !report.backend_process_started) return ['Engine ', engine, ' was not started.'];
  const stage = report.stage === null ? '' : ` at stage ${report.stage}`;
  const model = report.model === null ? [] : [' with ', quote(modelName(report.model))];
  const attempt = report.attempt === undefined ? '' : `, attempt ${report.attempt}`;
  return [
    'Engine ',
    engine,
    stage,
    ...model,
    attempt,
    took === null ? '' : `${attempt === '' ? '' : ','} in ${took}`,
    '.',
  ];
}

const MAX_TESTS = 20;

interface GivenReason {
  readonly text: string;
  readonly code: string;
}

function blockerView(
  { text, code }: GivenReason,
  report: Report,
  events: readonly RunEvent[],
  known: ReasonCatalogue,
): BlockerView {
  const { meaning, next, cause } = explainCode(code, known);
  const refusal = events.findLast((event) => event.type === 'gate.checked' && event.data.reason === text);
  const gate = refusal?.type === 'gate.checked' ? refusal.data : null;
  const outage = cause === 'provider' ? events.findLast((event) => event.type === 'provider.unavailable') : undefined;
  const seen = outage?.type === 'provider.unavailable' ? outage.data.detail : null;
  return {
    reason: text,
    meaning,
    next: gate?.next === undefined ? [next] : [quote(gate.next)],
    gate: gate?.gate ?? null,
    found: testsOf(code, report) ?? refusedOf(code, report) ?? gate?.detail ?? seen,
  };
}

function testsOf(code: string, { baseline }: Report): string | null {
  const found = regressionsIn(baseline?.comparison.tests ?? null).find(({ reason }) => reason.code === code);
  if (found === undefined) return null;
  const left = found.ids.length - MAX_TESTS;
  return `${found.ids.slice(0, MAX_TESTS).join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

/** Why files were refused: the line of code, or the kind of file. */
function refusedOf(code: string, { deciding }: Report): string | null {
  const refused = code === 'decides_changed' ? (deciding?.refused ?? []) : [];
  return refused.length === 0 ? null : refused.map(({ path, why }) => `${path}: ${why}`).join('; ');
}

/** The deciding reason first, then every further blocker, none twice. */
function distinctReasons(report: Report, known: ReasonCatalogue): readonly GivenReason[] {
  const first = report.failure_reason;
  const decided =
    first === null || report.blockers.includes(first) ? report : { blockers: [first, ...report.blockers] };
  const codes = codesOf(decided, known);
  const given = decided.blockers.map((text, index) => ({ text, code: codes[index] ?? '' }));
  const ordered = given.toSorted((a, b) => Number(b.text === first) - Number(a.text === first));
  return ordered.filter(({ text }, index) => ordered.findIndex((one) => one.text === text) === index);
}

/** Run ids are made of plain characters; anything else is quoted, so that the line can be pasted into a shell. */
export function runCommandLine(command: 'verify' | 'apply' | 'approve', report: Report): string {
  const id = report.run_id;
  return `seatrial ${command} ${/^[A-Za-z0-9._-]+$/.test(id) ? id : `'${id.replaceAll("'", `'\\''`)}'`}`;
}
