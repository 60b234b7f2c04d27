import { quotedHtml } from '../../report/render/html/inline.ts';
import { type Markup, markup } from '../../report/render/html/markup.ts';
import { momentText, plural } from '../../report/render/text/words.ts';
import type { OpenedComparison } from '../opened.ts';
import { costPlot } from './html/cost-plot.ts';
import { enginesTable } from './html/engines-table.ts';
import { heatMap } from './html/heat-map.ts';
import { runsHtml } from './html/runs.ts';
import { COMPARISON_STYLE } from './html/style.ts';
import { timePlot } from './html/time-plot.ts';
import { CLASS_WORD, OUTCOME_WORD } from './words.ts';

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";
const MAX_REASON = 300;

/** `comparison.html`: one file that loads nothing and runs no script. Its links lead to the reports below `runs/`. */
export function renderComparisonHtml(comparison: OpenedComparison): string {
  const { plan, result, open } = comparison;
  const sections = [
    [
      'engines',
      'Engines',
      markup`${enginesTable(comparison)}<p class="note plain">Runs that were not judged (provider, limit, set-up, infrastructure) are in no rate. Time, tokens and cost are medians of the judged runs.</p>`,
    ],
    ['tasks', 'Tasks', heatMap(comparison)],
    ['cost', 'Cost and pass rate', costPlot(result.engines)],
    ['time', 'Time', timePlot(result)],
    ['reasons', 'Reasons', reasonsHtml(comparison)],
    ['runs', 'Runs', markup`${runsHtml(comparison)}`],
  ] as const;
  const engines = plan.engines.map(({ label }) => label).join(', ');
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Comparison: ${engines}</title>
${COMPARISON_STYLE}
</head>
<body>
<header>
<div class="hero">
<svg viewBox="0 0 48 48" aria-hidden="true"><path d="M13 34V22M24 34V13M35 34V27"/></svg>
<div>
<p class="brand">Seatrial comparison</p>
<h1>${plural(plan.engines.length, 'engine')}, ${plural(plan.tasks.length, 'task')}, ${plural(result.planned, 'run')}</h1>
<p class="meaning">Declared ${momentText(plan.declared_at)}, before the first run; ${plan.repeat} of each engine on each task.</p>
${open.length === 0 ? '' : markup`<p class="warning">Not complete: ${plural(open.length, 'run')} missing.</p>`}
</div>
</div>
<svg class="wave" viewBox="0 0 1200 24" preserveAspectRatio="none" aria-hidden="true"><path d="M0 12q75-16 150 0t150 0 150 0 150 0 150 0 150 0 150 0 150 0V24H0z"/></svg>
</header>
<div class="page">
<nav aria-label="Contents"><ul>${sections.map(([id, title]) => markup`<li><a href="#${id}">${title}</a></li>\n`)}</ul></nav>
<main>
${sections.map(([id, title, body]) => markup`<section id="${id}">\n<h2>${title}</h2>\n${body}</section>\n`)}</main>
</div>
<footer>Comparison ${plan.comparison_id}; plan SHA-256 ${result.plan_sha256}. Check it: seatrial verify ${plan.comparison_id}</footer>
</body>
</html>
`.text;
}

function reasonsHtml({ result }: OpenedComparison): Markup {
  const rows = result.engines.flatMap(({ engine, reasons }) =>
    reasons.map(
      ({
        outcome,
        class: cause,
        count,
        text,
      }) => markup`<tr><th scope="row">${engine}</th><td>${OUTCOME_WORD[outcome]}</td><td>${CLASS_WORD[cause]}</td><td>${count}</td><td>${quotedHtml(text, MAX_REASON)}</td></tr>
`,
    ),
  );
  if (rows.length === 0)
    return markup`<p>${result.runs.length === 0 ? 'No run has ended yet.' : 'Every run passed.'}</p>\n`;
  return markup`<div class="scroll"><table class="reasons"><thead><tr><th>engine</th><th>outcome</th><th>class</th><th>runs</th><th>reason</th></tr></thead><tbody>
${rows}</tbody></table></div>
`;
}
