import type { Bounds } from '../bounds.ts';
import type { Block, Words } from '../document.ts';
import { safeLine } from '../safe-text.ts';
import { diffHtml } from './diff.ts';
import { inlineHtml } from './inline.ts';
import { type Markup, html } from './markup.ts';
import { timelineHtml } from './timeline.ts';

export function blockHtml(block: Block, bounds: Bounds): Markup {
  const inline = (words: Words): readonly Markup[] => inlineHtml(words, bounds.inlineLength);
  switch (block.kind) {
    case 'paragraph':
      return html`<p>${inline(block.text)}</p>\n`;
    case 'heading':
      return html`<h3>${block.text}</h3>\n`;
    case 'facts':
      return html`<dl>${block.rows.map((row) => html`<div><dt>${row.label}</dt><dd>${inline(row.value)}</dd></div>\n`)}</dl>\n`;
    case 'list':
      return html`<ul>${block.items.map((item) => html`<li>${inline(item)}</li>\n`)}</ul>\n`;
    case 'states':
      return html`<ul class="states">${block.rows.map(
        (row) => html`<li class="${row.tone}"><b>${row.state}</b> <span>${inline(row.text)}</span></li>\n`,
      )}</ul>\n`;
    case 'note':
      return html`<p class="note ${block.tone}">${inline(block.text)}</p>\n`;
    case 'command':
      return html`<pre class="command">${safeLine(block.text)}</pre>\n`;
    case 'output':
      return outputHtml(block);
    case 'timeline':
      return timelineHtml(block, inline);
    case 'diff':
      return diffHtml(block.files);
    default:
      block satisfies never;
      return html``;
  }
}

function outputHtml(block: Extract<Block, { kind: 'output' }>): Markup {
  const body = html`<summary>${block.summary}</summary>\n<pre class="output">${block.text}</pre>`;
  return block.collapsed ? html`<details>${body}</details>\n` : html`<details open>${body}</details>\n`;
}
