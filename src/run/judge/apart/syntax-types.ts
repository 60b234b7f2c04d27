import type { SyntaxNode } from '../syntax/node.ts';

/** Whether a node and all its descendants have one of these types, and none is refused. */
export function holdsOnly(
  node: SyntaxNode | null,
  types: ReadonlySet<string>,
  isAllowed: (one: SyntaxNode) => boolean = () => true,
): boolean {
  return node !== null && [...node.walk()].every((one) => !one.named || (types.has(one.type) && isAllowed(one)));
}
