import { decidingCode } from '../../evidence/reasons/explain.ts';
import { PARAMETER } from '../../evidence/reasons/reason.ts';
import { EVENTS_FILE, readEvents } from '../../evidence/log/events.ts';
import type { Expected, ExpectedReason } from '../../engines/self-test.ts';
import type { Report } from '../../evidence/schema/report.ts';
import { SeatrialError } from '../../kernel/errors.ts';
import type { RunRequest } from '../request.ts';
import { ALL_REASONS } from '../../engines/list.ts';
import { exitCodeForReport } from '../../evidence/reasons/explain.ts';

export type { Expected } from '../../engines/self-test.ts';

/** Kind of the rows that no in-process judge can stop: they pass, and the report warns that they can. */
export const CANNOT_BE_STOPPED = 'in_process, cannot be stopped';

/** The outcome of a row. */
export interface Seen {
  readonly reason: string | null;
  readonly code: string | null;
  readonly events: readonly string[];
  readonly status: string;
  readonly exit: number;
  readonly note: string | null;
  readonly says: string;
}

/** The verdict of a weaker judge on the same tree. Without a judge, `why` says why none was tried. */
export type WeakResult =
  | { readonly judge: string; readonly fooled: boolean }
  | { readonly judge: null; readonly fooled: false; readonly why: string };

export interface Played {
  readonly seen: Seen;
  readonly run: string;
  readonly weak?: WeakResult;
}

/** One row of a matrix: a run to play, and its expected outcome. */
export interface Row {
  readonly name: string;
  /** Rows are printed and counted by kind. */
  readonly kind: string;
  readonly expected: Expected;
  /** Waits or floods; started first to shorten the total time. */
  readonly slow?: boolean;
  /** A program that the row cannot be played without, and that not every machine has; `name@version`: a package of npm. */
  readonly needs?: string;
  play(request: RunRequest): Promise<Played>;
}

export interface RowResult {
  readonly name: string;
  readonly kind: string;
  readonly ok: boolean;
  readonly expected: {
    readonly reason: string | null;
    readonly event: string | null;
    readonly status: string;
    readonly exit: number;
    readonly note?: string;
    readonly says?: string;
  };
  readonly seen: Omit<Seen, 'says'>;
  readonly run: string;
  readonly weak?: WeakResult;
}

export function seenIn(report: Report, says = ''): Seen {
  return {
    reason: report.failure_reason,
    code: decidingCode(report),
    events: [...new Set(readEvents(`${report.run_dir}/${EVENTS_FILE}`).map((event) => event.type))],
    status: report.status,
    exit: exitCodeForReport(report, ALL_REASONS),
    note: report.tests.note,
    says,
  };
}

/** A row is ok if its whole outcome is as expected. A forger that does not fool its weaker judge proves nothing. */
export function compareRow({ name, kind, expected }: Row, { seen, run, weak }: Played): RowResult {
  const { reason, event, status, exit, note, says } = expected;
  const ok =
    seen.code === (reason?.code ?? null) &&
    (reason?.text === undefined || reason.text === seen.reason) &&
    status === seen.status &&
    exit === seen.exit &&
    (event === null || seen.events.includes(event)) &&
    (note === undefined || note.test(seen.note ?? '')) &&
    (says === undefined || says.test(seen.says)) &&
    (weak === undefined || weak.judge === null || weak.fooled);
  const { says: _said, ...shown } = seen;
  return {
    name,
    kind,
    ok,
    expected: {
      reason: reason === null ? null : reasonText(reason),
      event,
      status,
      exit,
      ...(note === undefined ? {} : { note: asText(note) }),
      ...(says === undefined ? {} : { says: asText(says) }),
    },
    seen: shown,
    run,
    ...(weak === undefined ? {} : { weak }),
  };
}

/** Rows whose name contains one of these texts; all rows if there are none. */
export function selectRows(rows: readonly Row[], only: readonly string[] | undefined): readonly Row[] {
  if (only === undefined) return rows;
  const unmatched = only.find((text) => !rows.some(({ name }) => name.includes(text)));
  if (unmatched !== undefined) throw new SeatrialError('usage', `no row name contains ${JSON.stringify(unmatched)}`);
  return rows.filter(({ name }) => only.some((text) => name.includes(text)));
}

/** The template of a reason whose parameters do not matter: `tests newly failing: <n>`. */
function reasonText({ code, text }: ExpectedReason): string {
  return text ?? ALL_REASONS[code]?.text.replace(PARAMETER, '<$1>') ?? code;
}

function asText(pattern: RegExp): string {
  return pattern.source.replace(/[\^$\\]/g, '');
}
