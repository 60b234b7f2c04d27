import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { comparisonText, drawComparison } from '../comparison.ts';
import { ABSENCE } from '../loops.ts';
import { ownNodes, parametersOf, statementsOf } from './body.ts';
import { callbackAssertions } from './callbacks.ts';
import { type Assertion, readAssertion } from './expectations.ts';
import { choose, defineHelpers } from './test-helpers.ts';
import { insert, inTurn, type Order } from '../order.ts';

/** Expected values in loops and branches, which may not run. */
export const nestedAssertions = (test: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] =>
  nestedReadings(test, body).flatMap(valueOf);

/** Assertions of a test, those in loops and branches too. */
export function nestedReadings(test: SyntaxNode, body: SyntaxNode): readonly Assertion[] {
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
    });
}

/** Whether nothing but loops keeps assertions from being reached, and none of them is about what should not be there. */
export function onlyLoopsIn(body: SyntaxNode): boolean {
  const others = ['if', 'while', 'do', 'try', 'switch', 'break', 'continue'].map((word) => `${word}_statement`);
  const each = [...body.ofType('call_expression')]
    .map((call) => call.child('function'))
    .filter((callee) => callee?.child('property')?.text === 'forEach');
  const loops = ownNodes(body, 'for_in_statement').flatMap((loop) => [loop.child('left'), loop.child('right')]);
  const about = [...each, ...loops].filter((node) => node !== null);
  const isPlain = ![...body.ofType(...others, 'for_statement')].some(() => true);
  return about.length > 0 && isPlain && !about.some(({ text }) => ABSENCE.test(text));
}

/** Expected values in functions that the test gives to the product. */
export function valuesInCallbacks(test: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  // Without a statement at its end, nothing tells whether a value was reached.
  if (ownNodes(body, 'return_statement').length > 0) return [];
  return callbackAssertions(test, body, (block) => statementsOf(block).flatMap(innerStatements)).flatMap(valueOf);
}

function valueOf(assertion: Assertion): readonly SyntaxNode[] {
  if (assertion.kind === 'truth' || assertion.kind === 'each') return [];
  const value = assertion.kind === 'value' ? assertion.value : assertion.scalars[0];
  return value === undefined ? [] : [value];
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
 * Passes values through a helper that returns them unchanged or alters them; a copy that must fail also fails if the altered one was not
 * reached. `all`: the test has no other assertions, so that it shows nothing if none of these is reached.
 */
export function spellNested(
  body: SyntaxNode,
  values: readonly SyntaxNode[],
  all: boolean,
  order: Order,
): readonly Edit[] {
  const { draw, fails, token } = order;
  const name = draw.hex(6);
  const [reached, alter, pass] = [`r${name}`, `n${name}`, `o${name}`];
  const drawn = inTurn(values, order);
  const condition = comparisonText(drawComparison(draw, fails));
  const unreached = `${all ? `${reached}.includes(1)&&` : ''}!${reached}.includes(0)`;
  const check = `if(${unreached}&&${condition})throw new Error("${token}")`;
  const definitions = defineHelpers(body, alter, { reached, pass }, order);
  return [
    ...definitions,
    ...values.map((value) =>
      choose(value, `${pass}(${value.text})`, `${alter}(${value.text})`, fails && value === drawn, order),
    ),
    ...(body.type === 'statement_block'
      ? [insert(body.end - 1, `;${check}`)]
      : [insert(body.start, 'try{return ('), insert(body.end, `)}finally{${check}}}`)]),
  ];
}
