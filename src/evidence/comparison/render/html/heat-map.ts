import { type Markup, markup } from '../../../report/render/html/markup.ts';
import type { CellSummary } from '../../schema.ts';
import type { OpenedComparison } from '../../opened.ts';
import { intervalText, judgedOf, NOTHING_TO_TELL } from '../words.ts';
import { engineNameHtml } from './engines-table.ts';
import { cellAnchor } from './runs.ts';

/** Tasks × engines, coloured by pass rate. Every cell leads to its runs. */
export function heatMap({ plan, result }: OpenedComparison): Markup {
  const rows = plan.tasks.map(({ name }, task) => {
    const cells = plan.engines.map(({ label }, engine) => {
      const cell = result.cells.find((one) => one.task === name && one.engine === label);
      return cell === undefined ? markup`<td></td>` : cellHtml(cell, cellAnchor(task, engine));
    });
    return markup`<tr><th scope="row">${name}</th>${cells}</tr>\n`;
  });
  return markup`<div class="scroll"><table class="heat">
<thead><tr><th scope="col">Task</th>${plan.engines.map(({ label }) => markup`<th scope="col">${engineNameHtml(label)}</th>`)}</tr></thead>
<tbody>
${rows}</tbody>
</table></div>
<p class="legend" aria-hidden="true"><span>0 %</span><i class="ramp"></i><span>100 % of judged runs passed</span><i class="hatched"></i><span>not judged</span></p>
`;
}

function cellHtml(cell: CellSummary, anchor: string): Markup {
  const { passed, not_judged: notJudged, pass_rate: rate } = cell;
  if (judgedOf(cell) + notJudged === 0) return markup`<td class="empty">${NOTHING_TO_TELL}</td>`;
  const left = notJudged === 0 ? '' : markup`<small>${notJudged} not judged</small>`;
  const title = `${cell.engine} on ${cell.task}: ${passed} of ${judgedOf(cell)} judged runs passed (95 % interval ${intervalText(cell)}), ${notJudged} not judged`;
  if (rate === null)
    return markup`<td class="hatched"><a href="#${anchor}" title="${title}"><b>${NOTHING_TO_TELL}</b>${left}</a></td>`;
  return markup`<td class="rated" style="--rate: ${Math.round(rate * 100)}%"><a href="#${anchor}" title="${title}"><b>${passed}/${judgedOf(cell)}</b>${left}</a></td>`;
}
