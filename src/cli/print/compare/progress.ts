import { classifyRun } from '../../../evidence/comparison/classify.ts';
import type { PlannedRun } from '../../../evidence/comparison/planned-runs.ts';
import { plannedRunsOf } from '../../../evidence/comparison/planned-runs.ts';
import { ALL_REASONS } from '../../../engines/list.ts';
import { OUTCOME_WORD } from '../../../evidence/comparison/render/words.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { durationText } from '../../../evidence/report/render/text/words.ts';
import type { ComparedRun, ComparisonPlan } from '../../../evidence/comparison/schema.ts';
import type { SlotObserver } from '../../../run/compare/run-slots.ts';
import { showProgress } from '../progress.ts';
import { liveTable, type SlotState } from './live-table.ts';

const REDRAW_MS = 200;

export interface CompareProgress extends SlotObserver {
  end(): void;
}

/** On a terminal a table that changes, else a line for each run that ends. `before`: the runs that were there already. */
export function compareProgress(
  plan: ComparisonPlan,
  before: readonly ComparedRun[],
  isSilent: boolean,
  stream: NodeJS.WriteStream = process.stderr,
): CompareProgress {
  if (isSilent) return { ...plainLines(plan, before, stream), started: () => {}, ended: () => {}, note: () => {} };
  return stream.isTTY ? liveProgress(plan, before, stream) : plainLines(plan, before, stream);
}

function plainLines(plan: ComparisonPlan, before: readonly ComparedRun[], stream: NodeJS.WriteStream): CompareProgress {
  const total = plannedRunsOf(plan).length;
  const width = String(total).length;
  let done = before.length;
  const { question } = showProgress('none', stream);
  return {
    started: () => {},
    began: () => {},
    note: (text) => void stream.write(`${safeLine(text)}\n`),
    question,
    ended: ({ engine, task, repeat }, report) => {
      const { outcome } = classifyRun(report, ALL_REASONS);
      if (outcome !== 'interrupted') done += 1;
      const word = outcome === 'interrupted' ? outcome : OUTCOME_WORD[outcome];
      const time = report.duration_ms === null ? '' : `, ${durationText(report.duration_ms)}`;
      const why = report.failure_reason === null ? '' : `: ${report.failure_reason}`;
      stream.write(
        safeLine(
          `[${String(done).padStart(width)}/${total}] ${word.padEnd(10)}  ${engine.label} on ${task.name} (run ${repeat}${time})${why}`,
        ) + '\n',
      );
    },
    end: () => {},
  };
}

function liveProgress(
  plan: ComparisonPlan,
  before: readonly ComparedRun[],
  stream: NodeJS.WriteStream,
): CompareProgress {
  const states: SlotState[] = plannedRunsOf(plan).map(({ slot }) => ({
    is: before.find((run) => run.slot === slot)?.outcome ?? 'waiting',
  }));
  const startedMs = performance.now();
  const color = process.env['NO_COLOR'] === undefined;
  let drawn = 0;
  let asking = 0;
  const clear = (): void => {
    if (drawn > 0) stream.write(`\u001b[${drawn}A\r\u001b[J`);
    drawn = 0;
  };
  const draw = (): void => {
    if (asking > 0) return;
    const { columns, rows } = stream;
    const lines = liveTable({ plan, states, startedMs, nowMs: performance.now(), columns, rows, color });
    clear();
    stream.write(lines.map((line) => `${line}\n`).join(''));
    drawn = lines.length;
  };
  const set = ({ slot }: PlannedRun, state: SlotState): void => {
    states[slot] = state;
    draw();
  };
  const { question } = showProgress('none', stream);
  const timer = setInterval(draw, REDRAW_MS);
  timer.unref();
  return {
    started: (slot) => set(slot, { is: 'running', steps: [], sinceMs: performance.now() }),
    began: (slot, steps) => set(slot, { is: 'running', steps, sinceMs: performance.now() }),
    ended: (slot, report) => {
      const { outcome } = classifyRun(report, ALL_REASONS);
      set(slot, { is: outcome === 'interrupted' ? 'waiting' : outcome });
    },
    note: (text) => {
      clear();
      stream.write(`${safeLine(text)}\n`);
      draw();
    },
    question: (asked) => {
      // The prompt has the screen to itself.
      if (asked !== null) clear();
      asking += asked === null ? -1 : 1;
      question(asked);
    },
    end: () => {
      clearInterval(timer);
      clear();
    },
  };
}
