import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import type { Order } from '../order.ts';
import { nestedStatements } from './body.ts';
import { assertionOf, isCatching } from './expectations.ts';
import { choosePython, definePythonHelpers, failUnreached, namesFor } from './test-helpers.ts';

/** Expected values in loops and branches, which may not run. */
export function nestedPythonValues(test: SyntaxNode): readonly SyntaxNode[] {
  return nestedStatements(test, isCatching)
    .flatMap(assertionOf)
    .flatMap((assertion) => {
      if (assertion.kind === 'truth') return [];
      const value = assertion.kind === 'value' ? assertion.value : assertion.scalars[0];
      return value === undefined || value.text.includes('\n') ? [] : [value];
    });
}

/**
 * Passes values through a helper that returns them unchanged or alters them; a copy that must fail also fails if none of them was
 * reached.
 */
export function spellPythonValues(
  test: SyntaxNode,
  values: readonly SyntaxNode[],
  order: Order,
): readonly Edit[] | null {
  const { draw, fails } = order;
  const { reached, alter, pass } = namesFor(draw);
  const drawn = draw.pick(values);
  const last = failUnreached(test, reached, order);
  if (last === null) return null;
  return [
    definePythonHelpers(test, [alter, { reached, pass }], order),
    ...values.map((value) =>
      choosePython(value, `${pass}(${value.text})`, `${alter}(${value.text})`, fails && value === drawn, order),
    ),
    last,
  ];
}
