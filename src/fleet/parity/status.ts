import type { ProjectStatus } from '../../agents/status/decide.ts';
import { statusLines } from '../../agents/status/render.ts';
import { different, type Finding, notComparable, same } from './finding.ts';

/** States that a journal alone decides; a copy without that journal shows only that the session lives. */
const SEEN_BY_BOTH = new Set(['running', 'stopped']);

/** The rows of two statuses as they are printed, byte for byte; with their states where both projects have one prefix. */
export function compareStatus(
  live: ProjectStatus,
  staged: ProjectStatus,
  withState: boolean,
  now: Date,
): readonly Finding[] {
  const hidden = live.rows.filter(({ state }) => withState && !SEEN_BY_BOTH.has(state.kind)).map(({ name }) => name);
  const print = (status: ProjectStatus): string[] =>
    statusLines(
      {
        ...status,
        rows: status.rows.map((row) =>
          withState && !hidden.includes(row.name) ? row : { ...row, state: { kind: 'stopped' } },
        ),
      },
      now,
    );
  return [
    rowsFinding(withState ? 'status rows' : 'status rows without states', print(live), print(staged)),
    ...hidden.map((name) => notComparable(`state of ${name}`, "only the live project's journal knows it")),
  ];
}

/** Captured text of another system: field by field, runs of blanks as one. */
export function compareCapturedStatus(captured: string, staged: ProjectStatus, withState: boolean, now: Date): Finding {
  const lines = captured
    .split('\n')
    .map(fields)
    .filter((line) => line !== '');
  const own = statusLines(staged, now).map(fields);
  const cut = (line: string): string =>
    withState || line.startsWith('phase:') ? line : line.split(' ').slice(0, 5).join(' ');
  return rowsFinding(withState ? 'captured status' : 'captured status without states', lines.map(cut), own.map(cut));
}

const fields = (line: string): string => line.trim().split(/\s+/).join(' ');

function rowsFinding(what: string, live: readonly string[], staged: readonly string[]): Finding {
  const lines: string[] = [];
  for (let at = 0; at < Math.max(live.length, staged.length); at += 1)
    if (live[at] !== staged[at]) lines.push(`- ${live[at] ?? '(no such row)'}`, `+ ${staged[at] ?? '(no such row)'}`);
  return lines.length === 0 ? same(what) : different(what, ...lines);
}
