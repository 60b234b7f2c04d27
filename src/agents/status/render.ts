import type { AgentState, ProjectStatus, StatusRow } from './decide.ts';

/** The state in one word or phrase, as the table prints it. */
export function stateText(state: AgentState, now: Date): string {
  switch (state.kind) {
    case 'running':
      return 'RUNNING';
    case 'backing off':
      return `backing off ${Math.max(0, Math.ceil((state.until.getTime() - now.getTime()) / 1000))}s`;
    case 'waiting for limit':
      return state.until === null ? 'waiting for limit' : `waiting for limit until ${clockTime(state.until)}`;
    case 'needs you':
      return `needs you: ${state.what}`;
    case 'stopped':
    case 'done':
    case 'stalled':
    case 'failed':
    case 'unknown':
      return state.kind;
    default:
      return state satisfies never;
  }
}

const two = (value: number): string => String(value).padStart(2, '0');
const clockTime = (time: Date): string => `${two(time.getHours())}:${two(time.getMinutes())}`;

/**
 * The table of `seatrial status`: no header, columns as wide as their widest value, two spaces between them. `widthOf` is exact by default for ASCII; for
 * other text there is `wideWidth`.
 */
export function statusLines(
  { phase, rows }: ProjectStatus,
  now: Date,
  widthOf: (text: string) => number = (text) => text.length,
): string[] {
  const cells = rows.map((row) => cellsOf(row, now));
  const widths = (cells[0] ?? []).map((_, column) => Math.max(...cells.map((row) => widthOf(row[column] ?? ''))));
  const lines = cells.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - widthOf(cell)))
      .join('  ')
      .trimEnd(),
  );
  if (phase === null) return lines;
  const { id, number, count, plan, done } = phase;
  return [`phase: ${id} [${number}/${count}] plan=${plan} (${done ? 'done' : 'in progress'})`, ...lines];
}

function cellsOf({ name, kind, backend, model, watch, state, enabled }: StatusRow, now: Date): string[] {
  const text = stateText(state, now);
  return [name, kind, backend ?? '-', model ?? '-', watch ?? '-', enabled ? text : `${text} (disabled)`];
}

/** `status --json`. */
export function statusJson({ phase, rows, unlisted }: ProjectStatus, now: Date): object {
  return {
    phase,
    agents: rows.map(({ name, kind, backend, model, watch, state, enabled, since, because }) => ({
      name,
      kind,
      backend,
      model,
      watch,
      state: stateText(state, now),
      enabled,
      since: since?.toISOString() ?? null,
      ...('until' in state && state.until !== null ? { until: state.until.toISOString() } : {}),
      because,
    })),
    unlisted_sessions: unlisted,
  };
}
