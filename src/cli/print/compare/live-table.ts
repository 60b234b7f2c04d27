import stringWidth from 'string-width';
import { percent } from '../../../evidence/comparison/render/words.ts';
import { plannedRunsOf } from '../../../evidence/comparison/planned-runs.ts';
import type { StepTiming } from '../../../evidence/log/run-log.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { durationText } from '../../../evidence/report/render/text/words.ts';
import type { ComparisonPlan, Outcome } from '../../../evidence/comparison/schema.ts';
import { LIVE_LEGEND, MARK, type MarkName, markText } from './marks.ts';

export type SlotState =
  | { readonly is: 'waiting' }
  | { readonly is: 'running'; readonly steps: readonly StepTiming[]; readonly sinceMs: number }
  | { readonly is: Outcome };

export interface LiveView {
  readonly plan: ComparisonPlan;
  /** By number of the slot. */
  readonly states: readonly SlotState[];
  readonly startedMs: number;
  readonly nowMs: number;
  readonly columns: number;
  readonly rows: number;
  readonly color: boolean;
}

const SGR: Readonly<Record<MarkName, string>> = {
  pass: '32',
  fail: '31',
  not_judged: '33',
  running: '36',
  waiting: '2',
};
const MAX_NAME = 28;

/** The table while a comparison goes. Never taller or wider than the terminal. */
export function liveTable(view: LiveView): string[] {
  const { plan, states, rows, columns } = view;
  const done = states.filter(({ is }) => is !== 'waiting' && is !== 'running').length;
  const head = `${done} of ${states.length} runs · ${durationText(view.nowMs - view.startedMs)}`;
  const running = runningLines(view);
  const cells = plan.tasks.map(({ name }) => [name, ...plan.engines.map(({ label }) => marksOf(view, label, name))]);
  const rates = ['pass rate', ...plan.engines.map(({ label }) => rateOf(view, label))];
  const grid = aligned([['', ...plan.engines.map(({ label }) => label)], ...cells, rates]);
  const fits = grid.length + running.length + 3 <= rows && grid.every((line) => stringWidth(line) < columns);
  // What does not fit is summed up, a line an engine.
  const body = fits
    ? grid
    : aligned(plan.engines.map(({ label }) => [label, marksOf(view, label), rateOf(view, label)]));
  return [head, ...body, LIVE_LEGEND, ...running].slice(0, Math.max(1, rows - 1)).map((line) => cut(line, columns - 1));
}

function runningLines({ plan, states, nowMs, color }: LiveView): string[] {
  return plannedRunsOf(plan).flatMap(({ slot, engine, task, repeat }) => {
    const state = states[slot];
    if (state?.is !== 'running') return [];
    const mark = paint(color, 'running', MARK.running);
    return [
      safeLine(
        `${engine.label} on ${task.name} (run ${repeat}): ${state.steps.at(-1)?.name ?? 'starting'}, ${durationText(nowMs - state.sinceMs)}`,
      ),
    ].map((text) => `${mark} ${text}`);
  });
}

function marksOf({ plan, states, color }: LiveView, engine: string, task?: string): string {
  const slots = plannedRunsOf(plan).filter(
    (slot) => slot.engine.label === engine && (task === undefined || slot.task.name === task),
  );
  return markText(
    slots.map(({ slot }) => states[slot]?.is ?? 'waiting'),
    (name, text) => paint(color, name, text),
  );
}

function rateOf({ plan, states }: LiveView, engine: string): string {
  const of = plannedRunsOf(plan)
    .filter((slot) => slot.engine.label === engine)
    .map(({ slot }) => states[slot]?.is);
  const passed = of.filter((is) => is === 'pass').length;
  const judged = passed + of.filter((is) => is === 'fail').length;
  return percent(judged === 0 ? null : passed / judged);
}

const paint = (color: boolean, name: MarkName, text: string): string =>
  color ? `\u001b[${SGR[name]}m${text}\u001b[0m` : text;

function aligned(rows: readonly (readonly string[])[]): string[] {
  const shown = rows.map((row) => row.map((cell, column) => (column === 0 ? cut(safeLine(cell), MAX_NAME) : cell)));
  const widths = (shown[0] ?? []).map((_, column) => Math.max(...shown.map((row) => stringWidth(row[column] ?? ''))));
  return shown.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - stringWidth(cell))))
      .join('  ')
      .trimEnd(),
  );
}

/** Cuts by what a terminal shows; colour codes take no place. */
function cut(line: string, width: number): string {
  if (stringWidth(line) <= width) return line;
  let shown = '';
  for (const part of line.split(/(\u001b\[[\d;]*m)/)) {
    if (part.startsWith('\u001b')) {
      shown += part;
      continue;
    }
    for (const char of part) if (stringWidth(shown + char) < width) shown += char;
  }
  return `${shown}…`;
}
