import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';

/** How a test is repeated. */
export interface Repetition {
  /** Of what is added to the file; no other name there is like it. */
  readonly name: string;
  /** How often at most. One: as the test itself, for comparison. */
  readonly calls: number;
  /** How long at most, after the first three. */
  readonly milliseconds: number;
  /** Calls it a last time with clocks that are ahead. */
  readonly later: boolean;
}

export interface Repeated {
  readonly edits: readonly Edit[];
  /** A file beside that of the test, by its name. */
  readonly beside?: readonly [string, string];
}

/**
 * Makes a test call its body again and again. The first call counts as it always did. A body that cannot be called a second or a third
 * time is left alone then: it keeps something from one call to the next, as honest tests may. Null: it cannot be repeated.
 */
export type Repeater = (test: SyntaxNode, repetition: Repetition, runner: string) => Repeated | null;
