import type { Edit } from '../../syntax/edits.ts';
import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Draw } from '../draw.ts';

/** How one copy is to be made. */
export interface Order {
  /** The copy must fail; else it looks the same and must pass. */
  readonly fails: boolean;
  /** Stands in the failure's message. A copy that must pass has one too, and never says it. */
  readonly token: string;
  readonly draw: Draw;
  readonly language: Language;
  /** The runner's name, where the language alone does not say what a parameter is. */
  readonly runner: string;
}

/** What a language knows of altering a test function. Null: this test cannot be altered so. */
export interface Alterer {
  /** `throw` and `neutral`. */
  readonly wrap: (test: SyntaxNode, order: Order) => readonly Edit[] | null;
  /** `literal` and `respelled`. */
  readonly spell: (test: SyntaxNode, order: Order) => readonly Edit[] | null;
}

export const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
export const replace = (node: SyntaxNode, text: string): Edit => ({ start: node.start, end: node.end, text });
