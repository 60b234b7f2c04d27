import type { SyntaxNode } from '../syntax/node.ts';

/** Whether a node and all below it are of these types, and nothing of them is refused. */
export function holdsOnly(
  node: SyntaxNode | null,
  types: ReadonlySet<string>,
  isAllowed: (one: SyntaxNode) => boolean = () => true,
): boolean {
  return node !== null && [...node.walk()].every((one) => !one.named || (types.has(one.type) && isAllowed(one)));
}
