import { HTML_BOUNDS, cutText } from './text/bounds.ts';
import type { Section } from './document.ts';
import { blockHtml } from './html/blocks.ts';
import { type Markup, markup } from './html/markup.ts';
import { SCRIPT, SCRIPT_DIGEST } from './html/script.ts';
import { STYLE } from './html/style.ts';
import { verdictHtml } from './html/verdict.ts';
import { safeLine } from './text/safe-text.ts';
import { sectionsOf } from './sections.ts';
import { verdictOf } from './verdict.ts';
import type { ReportView } from './view.ts';
import { momentText } from './text/words.ts';

const POLICY = `default-src 'none'; script-src '${SCRIPT_DIGEST}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;

/** `report.html`: a single file that loads nothing from the network. Its one script is a constant, allowed by its digest. */
export function renderHtml(view: ReportView): string {
  const verdict = verdictOf(view);
  const sections = sectionsOf(view, HTML_BOUNDS);
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${verdict.word}: ${safeLine(cutText(verdict.task, 200))}</title>
${STYLE}
</head>
<body class="${verdict.status}">
${verdictHtml(verdict, HTML_BOUNDS)}<div class="page">
<nav aria-label="Contents"><ul>${sections.map((section) => markup`<li><a href="#${section.id}">${section.title}</a></li>\n`)}</ul></nav>
<main>
${sections.map(sectionHtml)}</main>
</div>
<footer>Run ${safeLine(view.report.run_id)}, started ${momentText(view.report.run_started_at)}.</footer>
${SCRIPT}
</body>
</html>
`.text;
}

function sectionHtml(section: Section): Markup {
  return markup`<section id="${section.id}">
<h2>${section.title}</h2>
${section.blocks.map((block) => blockHtml(block, HTML_BOUNDS))}</section>
`;
}
