import { cutText } from '../text/bounds.ts';
import type { Inline, Words } from '../document.ts';
import { safeLine, safeText } from '../text/safe-text.ts';

/**
 * Markdown interprets nothing inside a code span: no tag, link, heading, mention or automatic link. The delimiter is
 * longer than any run of backticks inside.
 */
export function codeSpan(text: string): string {
  const line = safeLine(text);
  if (line.trim() === '') return '*(empty)*';
  const ticks = '`'.repeat(longestBacktickRun(line) + 1);
  const pad = /^[` ]|[` ]$/.test(line) ? ' ' : '';
  return `${ticks}${pad}${line}${pad}${ticks}`;
}

export function fence(text: string, language = ''): string {
  const body = safeText(text).replace(/\n+$/, '');
  const ticks = '`'.repeat(Math.max(3, longestBacktickRun(body) + 1));
  return `${ticks}${language}\n${body}\n${ticks}`;
}

function longestBacktickRun(text: string): number {
  return (text.match(/`+/g) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

/** Seatrial's own text; escaped too, in case a name gets into it. */
export function plainWords(text: string): string {
  return safeLine(text).replace(/[\\`*_[\]<>&#|~@]/g, '\\$&');
}

export function inlineMarkdown(words: Words, length: number): string {
  return words.map((part) => inlinePart(part, length)).join('');
}

function inlinePart(part: Inline, length: number): string {
  if (typeof part === 'string') return plainWords(part);
  return codeSpan(cutText('quote' in part ? part.quote : part.file, length));
}
