import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { ownNodes, parametersOf, statementsOf } from './body.ts';
import { readAssertion } from './expectations.ts';
import { choose, defineHelpers } from './test-helpers.ts';
import { insert, type Order } from '../order.ts';

/** Expected values in loops and branches, which may not run. */
export function nestedAssertions(test: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  // Values after a return may not be reached.
  if (body.type !== 'statement_block' || ownNodes(body, 'return_statement').length > 0) return [];
  const parameters = parametersOf(test);
  return statementsOf(body)
    .flatMap(innerStatements)
    .flatMap((statement) => {
      const [expression] = statement.type === 'expression_statement' ? statement.parts : [];
      if (expression === undefined) return [];
      const awaited = expression.type === 'await_expression' ? expression.parts[0] : undefined;
      return readAssertion(awaited ?? expression, awaited !== undefined, parameters);
    })
    .flatMap((assertion) => {
      if (assertion.kind === 'truth') return [];
      const value = assertion.kind === 'value' ? assertion.value : assertion.scalars[0];
      return value === undefined ? [] : [value];
    });
}

/** The statements that a loop, a branch or `forEach` runs; for any other statement, itself. */
function innerStatements(statement: SyntaxNode): readonly SyntaxNode[] {
  if (statement.type === 'statement_block') return statementsOf(statement).flatMap(innerStatements);
  if (/^(?:for|for_in|while|do|if)_statement$/.test(statement.type)) {
    const others = statement.childrenBy('alternative').flatMap((one) => one.parts);
    const bodies = [...statement.childrenBy('body'), ...statement.childrenBy('consequence'), ...others];
    return bodies.flatMap(innerStatements);
  }
  const [call] = statement.type === 'expression_statement' ? statement.parts : [];
  const callee = call?.type === 'call_expression' ? call.child('function') : null;
  const [callback] = callee?.child('property')?.text === 'forEach' ? (call?.child('arguments')?.parts ?? []) : [];
  const body = callback === undefined || /^async\b/.test(callback.text) ? null : callback.child('body');
  return body?.type === 'statement_block' ? innerStatements(body) : [statement];
}

/**
 * Passes values through a helper that returns them unchanged or alters them; a copy that must fail also fails if none of them was
 * reached.
 */
export function spellNested(body: SyntaxNode, values: readonly SyntaxNode[], order: Order): readonly Edit[] {
  const { draw, fails, token } = order;
  const name = draw.hex(6);
  const [reached, alter, pass] = [`r${name}`, `n${name}`, `o${name}`];
  const drawn = draw.pick(values);
  const condition = comparisonText(drawComparison(draw, fails));
  return [
    ...defineHelpers(body, alter, { reached, pass }, order),
    ...values.map((value) =>
      choose(value, `${pass}(${value.text})`, `${alter}(${value.text})`, fails && value === drawn, order),
    ),
    insert(body.end - 1, `;if(${reached}.length===0&&${condition})throw new Error("${token}")`),
  ];
}
