import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { inTurn, type Order } from '../order.ts';
import { nestedStatements } from './body.ts';
import { pythonCallbackAssertions } from './callbacks.ts';
import { assertionOf, isCatching, type PythonAssertion } from './expectations.ts';
import { choosePython, definePythonHelpers, failUnreached, namesFor } from './test-helpers.ts';

/** Expected values in loops and branches, which may not run. */
export function nestedPythonValues(test: SyntaxNode): readonly SyntaxNode[] {
  return nestedStatements(test, isCatching).flatMap(assertionOf).flatMap(valueOf);
}

/** Expected values in functions that the test gives to the product. */
export const pythonValuesInCallbacks = (test: SyntaxNode): readonly SyntaxNode[] =>
  pythonCallbackAssertions(test).flatMap(valueOf);

function valueOf(assertion: PythonAssertion): readonly SyntaxNode[] {
  if (assertion.kind === 'truth') return [];
  const value = assertion.kind === 'value' ? assertion.value : assertion.scalars[0];
  return value === undefined || value.text.includes('\n') ? [] : [value];
}

/**
 * Passes values through a helper that returns them unchanged or alters them; a copy that must fail also fails if the altered one was not
 * reached. `all`: the test has no other assertions, so that it shows nothing if none of these is reached.
 */
export function spellPythonValues(
  test: SyntaxNode,
  values: readonly SyntaxNode[],
  all: boolean,
  order: Order,
): readonly Edit[] | null {
  const { draw, fails } = order;
  const { reached, alter, pass } = namesFor(draw);
  const drawn = inTurn(values, order);
  const last = failUnreached(test, reached, all, order);
  if (last === null) return null;
  return [
    definePythonHelpers(test, [alter, { reached, pass }], order),
    ...values.map((value) =>
      choosePython(value, `${pass}(${value.text})`, `${alter}(${value.text})`, fails && value === drawn, order),
    ),
    last,
  ];
}
