import type { Bounds } from '../text/bounds.ts';
import type { Status } from '../../../schema/parts.ts';
import type { BlockerView, VerdictView } from '../verdict.ts';
import { inlineHtml, quotedHtml } from './inline.ts';
import { type Markup, markup } from './markup.ts';

/** A tick, a cross, and a circle with a bar, as SVG path data. */
const GLYPH: Readonly<Record<Status, string>> = {
  pass: 'M14 25l7 7 14-15',
  fail: 'M16 16l16 16M32 16L16 32',
  blocked: 'M13 13l22 22M8.5 24a15.5 15.5 0 1 0 31 0a15.5 15.5 0 1 0-31 0',
};

export function verdictHtml(verdict: VerdictView, bounds: Bounds): Markup {
  return markup`<header>
<div class="hero">
<svg viewBox="0 0 48 48" aria-hidden="true"><path d="${GLYPH[verdict.status]}"/></svg>
<div>
<p class="brand">Seatrial report</p>
<h1><span class="word">${verdict.word}</span> ${quotedHtml(verdict.task, bounds.inlineLength)}</h1>
<p class="meaning">${verdict.meaning} ${inlineHtml(verdict.byline, bounds.inlineLength)}</p>
${verdict.warning === null ? '' : markup`<p class="warning">${verdict.warning}</p>`}
${verdict.proof === null ? '' : markup`<p class="proof">${quotedHtml(verdict.proof, bounds.inlineLength)}</p>`}
${verdict.reason === null ? '' : reasonHtml(verdict.reason, verdict.further, bounds)}
</div>
</div>
<svg class="wave" viewBox="0 0 1200 24" preserveAspectRatio="none" aria-hidden="true"><path d="M0 12q75-16 150 0t150 0 150 0 150 0 150 0 150 0 150 0 150 0V24H0z"/></svg>
</header>
`;
}

function reasonHtml(reason: BlockerView, further: readonly BlockerView[], bounds: Bounds): Markup {
  const item = (blocker: BlockerView): Markup => markup`<li>${blockerHtml(blocker, bounds)}</li>\n`;
  const shown = further.slice(0, bounds.listItems);
  const left = further.length - shown.length;
  const more = left === 0 ? '' : markup`<p>${left} more in <a href="report.json"><code>report.json</code></a>.</p>`;
  return markup`<div class="reason"><h2>Reason</h2><p>${blockerHtml(reason, bounds)}</p>${
    shown.length === 0 ? '' : markup`<h2>Also</h2><ul>${shown.map(item)}</ul>${more}`
  }</div>`;
}

function blockerHtml(blocker: BlockerView, bounds: Bounds): Markup {
  const found =
    blocker.found === null ? '' : markup` <small>Found: ${quotedHtml(blocker.found, bounds.inlineLength)}</small>`;
  return markup`${quotedHtml(blocker.reason, bounds.inlineLength)} <span>${blocker.meaning}</span>${found} <span>Next: ${inlineHtml(blocker.next, bounds.inlineLength)}</span>`;
}
