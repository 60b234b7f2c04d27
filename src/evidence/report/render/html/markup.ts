/*
 * HTML by hand: 30 lines that escape everything that is not a literal of ours. A template package would add a parser and its own escapes to
 * the page that shows hostile text.
 */
import { safeText } from '../text/safe-text.ts';

/** Text that is already HTML. Only the `markup` tag creates it, so everything outside our templates is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type MarkupPart = Markup | string | number | readonly MarkupPart[];

/** Makes control characters visible and escapes for both text and double-quoted attributes. */
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
