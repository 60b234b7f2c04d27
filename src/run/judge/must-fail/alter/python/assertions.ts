import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import type { Order } from '../order.ts';
import { pythonOwnNodes, pythonStatements, runStatements } from './body.ts';
import { comparingCalls, spellCalls } from './calls.ts';
import { type PythonAssertion, assertionOf, isCatching, nearOf } from './expectations.ts';
import { choosePython, definePythonHelpers } from './test-helpers.ts';
import { nestedPythonValues, spellPythonValues } from './nested.ts';

export function spellPythonAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const all = assertionsIn(runStatements(test));
  const equalities = all.filter(({ kind }) => kind !== 'truth');
  const nested = equalities.length > 0 ? [] : nestedPythonValues(test);
  if (nested.length > 0) return spellPythonValues(test, nested, order);
  const calls = all.length > 0 ? [] : comparingCalls(test);
  if (calls.length > 0) return spellCalls(test, calls, order);
  const assertions = equalities.length > 0 ? equalities : all;
  // Drawn for both kinds of copies, so that they differ in nothing else.
  const drawn = order.draw.pick(assertions);
  const altered = order.fails ? drawn : undefined;
  const helper = `_n${order.draw.hex(6)}`;
  const edits = assertions.flatMap((assertion) => spell(assertion, assertion === altered, helper, order));
  if (edits.length === 0) return null;
  return assertions.some(({ kind }) => kind === 'value')
    ? [definePythonHelpers(test, [helper, null], order), ...edits]
    : edits;
}

/** Assertions that certainly run: none after a statement that may return. */
function assertionsIn(statements: readonly SyntaxNode[]): readonly PythonAssertion[] {
  const end = statements.findIndex((statement) => pythonOwnNodes(statement, 'return_statement').length > 0);
  return (end === -1 ? statements : statements.slice(0, end)).flatMap((statement) => {
    if (statement.type !== 'with_statement') return assertionOf(statement);
    const body = statement.child('body');
    return body === null || isCatching(statement) ? [] : assertionsIn(pythonStatements(body));
  });
}

function spell(assertion: PythonAssertion, altered: boolean, helper: string, order: Order): readonly Edit[] {
  const { draw } = order;
  switch (assertion.kind) {
    case 'scalar': {
      const scalar = draw.pick(assertion.scalars);
      const near = scalar === undefined ? null : nearOf(scalar, order);
      return scalar === undefined || near === null ? [] : [choosePython(scalar, scalar.text, near, altered, order)];
    }
    case 'value':
      return [
        choosePython(assertion.value, assertion.value.text, `${helper}(${assertion.value.text})`, altered, order),
      ];
    case 'truth':
      return [
        choosePython(assertion.value, `(${assertion.value.text})`, `not (${assertion.value.text})`, altered, order),
      ];
    default:
      return assertion satisfies never;
  }
}
