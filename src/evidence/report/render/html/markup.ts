/*
 * HTML by hand: 30 lines that escape everything that is not a literal of ours. A template package would add a parser and its own escapes to
 * the page that shows hostile text.
 */
import { safeText } from '../text/safe-text.ts';

/** Text that is already HTML. Only the `markup` tag makes it, so whatever is not a template of ours gets escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = Markup | string | number | readonly MarkupPart[];

/** Strings are made visible and escaped for text and for double-quoted attributes alike. */
export function markup(literals: TemplateStringsArray, ...parts: readonly MarkupPart[]): Markup {
  return new Markup(literals.reduce((text, literal, index) => text + markupOf(parts[index - 1] ?? '') + literal));
}

const ENTITY: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function markupOf(part: MarkupPart): string {
  if (part instanceof Markup) return part.text;
  if (typeof part === 'number') return String(part);
  if (typeof part === 'string') return safeText(part).replace(/[&<>"']/g, (char) => ENTITY[char] ?? '');
  return part.map(markupOf).join('');
}
