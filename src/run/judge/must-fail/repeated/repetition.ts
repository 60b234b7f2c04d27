import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';

/** How a test is repeated. */
export interface Repetition {
  /** The name of the added helper, unique in the file. */
  readonly name: string;
  /** Maximum number of calls. One: like the test itself, for comparison. */
  readonly calls: number;
  /** Maximum time after the first three calls. */
  readonly milliseconds: number;
  /** Also call the body with clocks set ahead. */
  readonly later: boolean;
}

export interface Repeated {
  readonly edits: readonly Edit[];
  /** A file to add beside the test file: name and contents. */
  readonly beside?: readonly [string, string];
}

/**
 * Makes a test call its body repeatedly. The first call counts as usual. If the second or third call fails, repeating stops without a
 * failure: honest tests may keep state between calls. Null: the test cannot be repeated.
 */
export type Repeater = (test: SyntaxNode, repetition: Repetition, runner: string) => Repeated | null;
