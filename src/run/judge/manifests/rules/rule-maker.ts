import type { Rule } from '../rule.ts';
import type { Table } from '../value.ts';

export interface RuleFacts {
  readonly base: Table;
  readonly patch: Table;
  /** The base has no such file. */
  readonly isNew: boolean;
  /** Whether the base's tests use a package of this name. */
  readonly isTool: (name: string) => boolean;
  /** Whether code of the product loads a package of this name since the patch. */
  readonly isLoaded: (name: string) => boolean;
}

/** The rule of one manifest. It may look at the patch only for what it would otherwise let in. */
export type RuleMaker = (facts: RuleFacts) => Rule;
