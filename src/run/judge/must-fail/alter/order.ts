import type { Edit } from '../../syntax/edits.ts';
import type { Language } from '../../syntax/language.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import type { Draw } from '../draw.ts';

/** How one copy is to be made. */
export interface Order {
  /** True: the copy must fail. False: it looks the same and must pass. */
  readonly fails: boolean;
  /** Part of the failure message. A copy that must pass contains one too, but never prints it. */
  readonly token: string;
  readonly draw: Draw;
  readonly language: Language;
  /** Which of the expected values is altered, counted on beyond the last one. */
  readonly turn: number;
  /** The test failed before the patch, so that assertions in its callbacks ran. */
  readonly fixed: boolean;
  /** The runner's name, for languages in which the meaning of a parameter depends on it. */
  readonly runner: string;
}

/** The one of these that this copy alters. */
export const inTurn = <T>(choices: readonly T[], { turn }: Order): T | undefined => choices[turn % choices.length];

/** How to alter test functions of a language. Null: this test cannot be altered this way. */
export interface Alterer {
  /** `throw` and `neutral`. */
  readonly wrap: (test: SyntaxNode, order: Order) => readonly Edit[] | null;
  /** `literal` and `respelled`. */
  readonly spell: (test: SyntaxNode, order: Order) => readonly Edit[] | null;
  /** How many copies `spell` can make that each alter another expected value. */
  readonly choices?: (test: SyntaxNode, order: Order) => number;
}

export const insert = (at: number, text: string): Edit => ({ start: at, end: at, text });
export const replace = (node: SyntaxNode, text: string): Edit => ({ start: node.start, end: node.end, text });
