import { type Markup, markup } from '../../../report/render/html/markup.ts';
import type { EngineSummary } from '../../schema.ts';
import type { OpenedComparison } from '../../opened.ts';
import { summaryHead, summaryRow } from '../summary-rows.ts';

/** One row an engine; the bar shows pass rate and interval. */
export function enginesTable({ plan, result }: OpenedComparison): Markup {
  const head = summaryHead(plan).map((title) => markup`<th scope="col">${title}</th>`);
  return markup`<div class="scroll"><table class="engines">
<thead><tr>${head}</tr></thead>
<tbody>
${result.engines.map(rowHtml)}</tbody>
</table></div>
`;
}

function rowHtml(summary: EngineSummary): Markup {
  const [engine = '', rate = '', ...others] = summaryRow(summary);
  return markup`<tr><th scope="row">${engineNameHtml(engine)}</th><td><div class="rate"><b>${rate}</b>${barHtml(summary)}</div></td>${others.map((text) => markup`<td>${text}</td>`)}</tr>
`;
}

function barHtml({ pass_rate: rate, interval: { low, high } }: EngineSummary): Markup {
  if (rate === null) return markup`<span class="bar"></span>`;
  const at = (value: number): string => `${Math.round(value * 100)}%`;
  return markup`<span class="bar" aria-hidden="true"><i style="left: ${at(low)}; right: ${at(1 - high)}"></i><b style="left: ${at(rate)}"></b></span>`;
}

/** The model below the name of its engine. */
export function engineNameHtml(label: string): Markup {
  const at = label.indexOf(' ');
  return at < 0 ? markup`${label}` : markup`${label.slice(0, at)} <small>${label.slice(at + 1)}</small>`;
}
