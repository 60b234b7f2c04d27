import type { Block, TimelineEntry, TimelineStep, Words } from '../document.ts';
import { durationText, momentOfRun } from '../text/words.ts';
import { type Markup, markup } from './markup.ts';

const MANY_ENTRIES = 12;

export function timelineHtml(
  block: Extract<Block, { kind: 'timeline' }>,
  inline: (words: Words) => readonly Markup[],
): Markup {
  return markup`<ol class="timeline">${block.steps.map((step) => stepHtml(step, block.totalMs, inline))}</ol>\n`;
}

function stepHtml(step: TimelineStep, totalMs: number, inline: (words: Words) => readonly Markup[]): Markup {
  const left = step.leftOut === 0 ? '' : markup`<li class="left">${step.leftOut} more not shown here</li>\n`;
  const entries = markup`<ul>${step.entries.map((entry) => entryHtml(entry, inline))}${left}</ul>`;
  const folded = markup`<details><summary>${step.entries.length} lines</summary>${entries}</details>`;
  return markup`<li><div class="step"><h3>${step.name}</h3>${barHtml(step, totalMs)}<span class="took">${durationText(
    step.toMs - step.fromMs,
  )}</span></div>
${step.entries.length > MANY_ENTRIES ? folded : entries}</li>\n`;
}

function barHtml(step: TimelineStep, totalMs: number): Markup {
  const percent = (ms: number): string => (totalMs > 0 ? (100 * ms) / totalMs : 0).toFixed(2);
  const style = `margin-left:${percent(step.fromMs)}%;width:${percent(step.toMs - step.fromMs)}%`;
  return markup`<div class="track" aria-hidden="true"><div style="${style}"></div></div>`;
}

function entryHtml(entry: TimelineEntry, inline: (words: Words) => readonly Markup[]): Markup {
  const time = markup`<time>${momentOfRun(entry.atMs)}</time>`;
  const who = entry.claim ? markup`<b class="claim">claim</b>` : markup`<b class="harness">harness</b>`;
  return markup`<li>${time} ${who} <span><code class="type">${entry.type}</code> ${inline(entry.text)}</span></li>\n`;
}
