import { cutText } from '../text/bounds.ts';
import type { Inline, Words } from '../document.ts';
import { safeLine } from '../text/safe-text.ts';
import { type Markup, markup } from './markup.ts';

/** Files that every browser shows as text or offers to save; others are named without a link. */
const LINKABLE = /^(?![/.-])(?!.*\.\.)[A-Za-z0-9._/-]+\.(?:json|jsonl|diff|log|md|txt|tar)$/;

export function quotedHtml(text: string, length: number): Markup {
  const line = safeLine(cutText(text, length));
  return line.trim() === '' ? markup`<i class="none">(empty)</i>` : markup`<code>${line}</code>`;
}

export function inlineHtml(words: Words, length: number): readonly Markup[] {
  return words.map((part) => inlinePart(part, length));
}

function inlinePart(part: Inline, length: number): Markup {
  if (typeof part === 'string') return markup`${part}`;
  if ('quote' in part) return quotedHtml(part.quote, length);
  return LINKABLE.test(part.file)
    ? markup`<a href="${part.file}"><code>${part.file}</code></a>`
    : quotedHtml(part.file, length);
}
