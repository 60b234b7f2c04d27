import type { OpenedComparison } from '../../../evidence/comparison/opened.ts';
import type { ComparisonPlan } from '../../../evidence/comparison/schema.ts';
import { HTML_FILE } from '../../../evidence/comparison/store.ts';
import { summaryHead, summaryRow } from '../../../evidence/comparison/render/summary-rows.ts';
import { CLASS_WORD } from '../../../evidence/comparison/render/words.ts';
import { safeLine } from '../../../evidence/report/render/terminal.ts';
import { cutText } from '../../../evidence/report/render/text/bounds.ts';
import { plural } from '../../../evidence/report/render/text/words.ts';
import { table } from '../table.ts';
import { cellMarks, LEGEND } from './marks.ts';

const MAX_REASON = 160;

/** A comparison on the terminal: a row an engine, the tasks by engine, and why runs did not pass. */
export function comparisonLines({ plan, result, open, faults, dir }: OpenedComparison): string[] {
  const labels = plan.engines.map(({ label }) => label);
  const marks = (task: string, engine: string): string =>
    cellMarks(
      plan.repeat,
      result.runs.filter((run) => run.task === task && run.engine === engine),
    );
  const reasons = result.engines.flatMap(({ engine, reasons: of }) => of.map((one) => ({ engine, ...one })));
  return [
    ...table(
      summaryHead(plan).map((title) => title.toUpperCase()),
      result.engines.map(summaryRow),
    ),
    '',
    ...table(
      ['TASK', ...labels],
      plan.tasks.map(({ name }) => [name, ...labels.map((label) => marks(name, label))]),
    ),
    LEGEND,
    ...(reasons.length === 0 ? [] : ['']),
    ...reasons.map(({ engine, outcome, class: cause, count, text }) =>
      safeLine(
        `${engine}: ${count} × ${outcome === 'fail' ? 'fail' : `not judged (${CLASS_WORD[cause]})`}: ${cutText(text, MAX_REASON)}`,
      ),
    ),
    ...faults.map((fault) => safeLine(`NOT AS PLANNED: ${fault}`)),
    '',
    ...(open.length === 0
      ? [`page:     ${safeLine(dir)}/${HTML_FILE}`, `check it: seatrial verify ${plan.comparison_id}`]
      : [`not complete: ${plural(open.length, 'run')} of ${result.planned} missing`, `go on: ${resumeCommand(plan)}`]),
  ];
}

/** A batch for a stage also delivers branches, and hides repositories that the plan does not name. */
export function resumeCommand({ stage, comparison_id: id }: ComparisonPlan): string {
  return stage === undefined ? `seatrial compare --resume ${id}` : 'seatrial stage run';
}
