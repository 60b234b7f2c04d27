import { canonicalJson } from '../../kernel/canonical.ts';
import { sha256 } from '../../kernel/digest.ts';

/** Identifies a task by all that its contract asks: the same for every attempt at it, every place of a plan and every work item. */
export function digestOfAsked(contract: object): string {
  const {
    attempt: _attempt,
    declared: _declared,
    work_item: _item,
    ...asked
  }: Readonly<Record<string, unknown>> = { ...contract };
  return sha256(canonicalJson(asked));
}
