import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { inTurn, type Order } from '../order.ts';
import { ABSENCE } from '../loops.ts';
import { nestedStatements, pythonOwnNodes } from './body.ts';
import { pythonCallbackAssertions } from './callbacks.ts';
import { assertionOf, isCatching, type PythonAssertion } from './expectations.ts';
import { choosePython, definePythonHelpers, failUnreached, namesFor } from './test-helpers.ts';

/** Expected values in loops and branches, which may not run. */
export function nestedPythonValues(test: SyntaxNode): readonly SyntaxNode[] {
  return nestedStatements(test, isCatching).flatMap(assertionOf).flatMap(valueOf);
}

/** Whether nothing but loops keeps assertions from being reached, and none of them is about what should not be there. */
export function onlyLoops(test: SyntaxNode): boolean {
  const others = ['if', 'while', 'try', 'match', 'with', 'break', 'continue'].map((word) => `${word}_statement`);
  const loops = pythonOwnNodes(test, 'for_statement');
  const about = [test.child('name'), ...loops.flatMap((loop) => [loop.child('left'), loop.child('right')])];
  return (
    loops.length > 0 &&
    pythonOwnNodes(test, ...others).length === 0 &&
    !about.some((node) => node !== null && ABSENCE.test(node.text))
  );
}

/** Expected values in functions that the test gives to the product. */
export const pythonValuesInCallbacks = (test: SyntaxNode): readonly SyntaxNode[] =>
  pythonCallbackAssertions(test).flatMap(valueOf);

function valueOf(assertion: PythonAssertion): readonly SyntaxNode[] {
  if (assertion.kind === 'truth' || assertion.kind === 'each') return [];
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
