import type { ComparedRun } from '../../../evidence/comparison/schema.ts';

export const MARK = { pass: '✓', fail: '✗', not_judged: '○', running: '▸', waiting: '·' } as const;
export type MarkName = keyof typeof MARK;

export const LEGEND = legendOf(['pass', 'fail', 'not_judged', 'waiting']);
export const LIVE_LEGEND = legendOf(['pass', 'fail', 'not_judged', 'running', 'waiting']);

function legendOf(names: readonly MarkName[]): string {
  const words = { pass: 'pass', fail: 'fail', not_judged: 'not judged', running: 'running', waiting: 'not run' };
  return names.map((name) => `${MARK[name]} ${words[name]}`).join('  ');
}

/** More runs than this are counted instead of shown one by one. */
const MAX_MARKS = 10;

/** One mark a run, in the order of the plan. */
export function markText(
  marks: readonly MarkName[],
  paint: (name: MarkName, text: string) => string = (_name, text) => text,
): string {
  if (marks.length <= MAX_MARKS) return marks.map((name) => paint(name, MARK[name])).join('');
  const names = ['pass', 'fail', 'not_judged', 'running', 'waiting'] as const;
  return names
    .map((name) => [name, marks.filter((mark) => mark === name).length] as const)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => paint(name, `${count}${MARK[name]}`))
    .join(' ');
}

export function cellMarks(repeat: number, runs: readonly ComparedRun[]): string {
  return markText(
    Array.from({ length: repeat }, (_, index) => runs.find((run) => run.repeat === index + 1)?.outcome ?? 'waiting'),
  );
}
