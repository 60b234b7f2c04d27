import type { Bounds } from '../text/bounds.ts';
import type { Block, Words } from '../document.ts';
import { safeLine } from '../text/safe-text.ts';
import { conversationHtml } from './conversation.ts';
import { diffHtml } from './diff.ts';
import { inlineHtml } from './inline.ts';
import { type Markup, markup } from './markup.ts';
import { timelineHtml } from './timeline.ts';

export function blockHtml(block: Block, bounds: Bounds): Markup {
  const inline = (words: Words): readonly Markup[] => inlineHtml(words, bounds.inlineLength);
  switch (block.kind) {
    case 'paragraph':
      return markup`<p>${inline(block.text)}</p>\n`;
    case 'heading':
      return markup`<h3>${block.text}</h3>\n`;
    case 'facts':
      return markup`<dl>${block.rows.map((row) => markup`<div><dt>${row.label}</dt><dd>${inline(row.value)}</dd></div>\n`)}</dl>\n`;
    case 'list':
      return markup`<ul>${block.items.map((item) => markup`<li>${inline(item)}</li>\n`)}</ul>\n`;
    case 'states':
      return markup`<ul class="states">${block.rows.map(
        (row) => markup`<li class="${row.tone}"><b>${row.state}</b> <span>${inline(row.text)}</span></li>\n`,
      )}</ul>\n`;
    case 'note':
      return markup`<p class="note ${block.tone}">${inline(block.text)}</p>\n`;
    case 'command':
      return markup`<pre class="command">${safeLine(block.text)}</pre>\n`;
    case 'output':
      return outputHtml(block);
    case 'timeline':
      return timelineHtml(block, inline);
    case 'conversation':
      return conversationHtml(block);
    case 'diff':
      return diffHtml(block.files);
    default:
      block satisfies never;
      return markup``;
  }
}

function outputHtml(block: Extract<Block, { kind: 'output' }>): Markup {
  const body = markup`<summary>${block.summary}</summary>\n<pre class="output">${block.text}</pre>`;
  return block.collapsed ? markup`<details>${body}</details>\n` : markup`<details open>${body}</details>\n`;
}
