import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';

/** Identifies a task by all that its contract asks: the same for every attempt at it, and for every place of a plan. */
export function digestOfAsked(contract: object): string {
  const { attempt: _attempt, declared: _declared, ...asked }: Readonly<Record<string, unknown>> = { ...contract };
  return sha256(canonicalJson(asked));
}
