import { plainWords } from '../../report/render/markdown/inline.ts';
import { cutText } from '../../report/render/text/bounds.ts';
import { momentText, plural } from '../../report/render/text/words.ts';
import type { CellSummary } from '../schema.ts';
import type { OpenedComparison } from '../opened.ts';
import { summaryHead, summaryRow } from './summary-rows.ts';
import { CLASS_WORD, judgedOf, NOTHING_TO_TELL, OUTCOME_WORD } from './words.ts';

const MAX_REASON = 300;

/** `comparison.md`. */
export function renderComparisonMarkdown({ plan, result, open }: OpenedComparison): string {
  const labels = plan.engines.map(({ label }) => label);
  const cell = (task: string, engine: string): string =>
    cellText(result.cells.find((one) => one.task === task && one.engine === engine));
  const reasons = result.engines.flatMap(({ engine, reasons: of }) => of.map((reason) => ({ engine, ...reason })));
  return [
    `# Comparison of ${plural(plan.engines.length, 'engine')} on ${plural(plan.tasks.length, 'task')}`,
    `Declared ${momentText(plan.declared_at)}: ${plural(result.planned, 'run')}, ${plan.repeat} of each engine on each task.${open.length === 0 ? '' : ` **Not complete**: ${plural(open.length, 'run')} missing.`}`,
    tableOf(summaryHead(plan), result.engines.map(summaryRow)),
    'Runs that were not judged (provider, limit, set-up, infrastructure) are in no rate. Time, tokens and cost are medians of the judged runs.',
    '## Passed of judged runs',
    tableOf(
      ['task', ...labels],
      plan.tasks.map(({ name }) => [name, ...labels.map((label) => cell(name, label))]),
    ),
    ...(reasons.length === 0
      ? []
      : [
          '## Reasons',
          tableOf(
            ['engine', 'outcome', 'class', 'runs', 'reason'],
            reasons.map(({ engine, outcome, class: cause, count, text }) => [
              engine,
              OUTCOME_WORD[outcome],
              CLASS_WORD[cause],
              String(count),
              cutText(text, MAX_REASON),
            ]),
          ),
        ]),
    '## Evidence',
    ...(result.runs.length === 0
      ? ['No run has ended yet.']
      : [
          result.runs
            .map(
              ({ engine, task, repeat, outcome, run_id: id }) =>
                `- ${plainWords(`${engine} on ${task}, run ${repeat}: ${OUTCOME_WORD[outcome]}`)}: [${plainWords(id)}](runs/${encodeURIComponent(id)}/report.html)`,
            )
            .join('\n'),
        ]),
    '',
  ].join('\n\n');
}

function cellText(cell: CellSummary | undefined): string {
  if (cell === undefined || judgedOf(cell) + cell.not_judged === 0) return NOTHING_TO_TELL;
  const left = cell.not_judged === 0 ? '' : ` (${cell.not_judged} not judged)`;
  return `${judgedOf(cell) === 0 ? NOTHING_TO_TELL : `${cell.passed} of ${judgedOf(cell)}`}${left}`;
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(plainWords).join(' | ')} |`;
  return [line(head), `|${head.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n');
}
