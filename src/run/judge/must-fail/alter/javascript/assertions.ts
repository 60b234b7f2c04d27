import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { ownNodes, parametersOf, statementsOf } from './body.ts';
import { type Assertion, readAssertion } from './expectations.ts';
import { nearLiteral } from './literals.ts';
import { choose, defineHelpers } from './test-helpers.ts';
import { nestedAssertions, spellNested } from './nested.ts';
import type { Order } from '../order.ts';

export function spellAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const body = test.child('body');
  if (body === null) return null;
  const all = assertionsIn(test, body);
  const equalities = all.filter(({ kind }) => kind !== 'truth');
  const nested = equalities.length > 0 ? [] : nestedAssertions(test, body);
  if (nested.length > 0) return spellNested(body, nested, order);
  const assertions = equalities.length > 0 ? equalities : all;
  // Drawn for both kinds of copies, so that they differ in nothing else.
  const drawn = order.draw.pick(assertions);
  const altered = order.fails ? drawn : undefined;
  const helper = `n${order.draw.hex(6)}`;
  const edits = assertions.flatMap((assertion) => spell(assertion, assertion === altered, helper, order));
  if (edits.length === 0) return null;
  const needsHelper = assertions.some(({ kind }) => kind === 'value');
  return needsHelper ? [...defineHelpers(body, helper, null, order), ...edits] : edits;
}

/**
 * Assertions that certainly run and whose failure certainly fails the test: none in a callback, none after a statement that may return.
 */
function assertionsIn(test: SyntaxNode, body: SyntaxNode): readonly Assertion[] {
  const parameters = parametersOf(test);
  // `() => expect(x).toBe(2)`: its value is returned.
  if (body.type !== 'statement_block') return readAssertion(body, true, parameters);
  const statements = statementsOf(body);
  const end = statements.findIndex((statement) => ownNodes(statement, 'return_statement').length > 0);
  const sure = end === -1 ? statements : statements.slice(0, end + 1);
  return sure.flatMap((statement, index) => {
    const [expression] = statement.parts;
    if (expression === undefined) return [];
    if (statement.type === 'return_statement') return readAssertion(expression, true, parameters);
    if (statement.type !== 'expression_statement' || index === end) return [];
    const awaited = expression.type === 'await_expression' ? expression.parts[0] : undefined;
    return awaited === undefined
      ? readAssertion(expression, false, parameters)
      : readAssertion(awaited, true, parameters);
  });
}

function spell(assertion: Assertion, altered: boolean, helper: string, order: Order): readonly Edit[] {
  switch (assertion.kind) {
    case 'scalar': {
      const scalar = order.draw.pick(assertion.scalars);
      const near = scalar === undefined ? null : nearLiteral(scalar, order.draw);
      return scalar === undefined || near === null ? [] : [choose(scalar, scalar.text, near, altered, order)];
    }
    case 'value':
      return [choose(assertion.value, assertion.value.text, `${helper}(${assertion.value.text})`, altered, order)];
    case 'truth':
      return [choose(assertion.value, `(${assertion.value.text})`, `!(${assertion.value.text})`, altered, order)];
    default:
      return assertion satisfies never;
  }
}
