import type { SyntaxNode } from '../../../syntax/node.ts';
import { ownNodes, parametersOf, statementsOf } from './body.ts';
import { type Assertion, readAssertion } from './expectations.ts';

/**
 * Functions that call what they are given in a place where a failure may not fail the test: later, in another test, or where an error is
 * expected.
 */
const LEFT_OUT =
  /^(?:\w*(?:throws?|rejects?|expect|catch|finally|then|fail|mock|spy|timeout|interval|immediate|tick|microtask|cleanup|listener)\w*|fn|promise|proxy|describe|suite|it|test|specify|subtest|before\w*|after\w*|setup|teardown|sort|replace\w*)$/i;
const FUNCTION = /^(?:arrow_function|function_expression|function_declaration|method_definition)$/;
const MAX_DEPTH = 3;

/**
 * Assertions in functions that a test gives to a function of the product, which may not run. A product that catches what they throw has
 * emptied the test.
 */
export function callbackAssertions(
  test: SyntaxNode,
  body: SyntaxNode,
  statementsIn: (block: SyntaxNode) => readonly SyntaxNode[],
): readonly Assertion[] {
  const parameters = parametersOf(test);
  const seen = new Set<number>();
  const within = (block: SyntaxNode, depth: number): readonly Assertion[] => {
    const statements = block.type === 'statement_block' ? untilReturn(statementsIn(block)) : [block];
    return statements.flatMap((statement) => [
      ...(depth === 0 ? [] : assertionIn(statement)),
      ...(depth === MAX_DEPTH ? [] : given(statement).flatMap((inner) => within(inner, depth + 1))),
    ]);
  };
  const assertionIn = (statement: SyntaxNode): readonly Assertion[] => {
    const expression = statement.type === 'expression_statement' ? statement.parts[0] : statement;
    return expression === undefined ? [] : readAssertion(expression, false, parameters);
  };
  const given = (statement: SyntaxNode): readonly SyntaxNode[] =>
    ownNodes(statement, 'call_expression', 'new_expression').flatMap((call) => {
      const callee = call.child('function') ?? call.child('constructor');
      const name = (callee?.child('property') ?? callee)?.text ?? '';
      if (callee === null || LEFT_OUT.test(name) || /^(?:expect|assert)\b/.test(callee.text)) return [];
      return (call.child('arguments')?.parts ?? [])
        .flatMap(functionsIn)
        .flatMap((one) => (one.type === 'identifier' ? named(body, one.text) : [one]))
        .flatMap((one) => bodyOf(one, seen));
    });
  return within(body, 0);
}

/** Functions that are given as they are, by name, or as members of an object. */
function functionsIn(argument: SyntaxNode): readonly SyntaxNode[] {
  if (FUNCTION.test(argument.type) || argument.type === 'identifier') return [argument];
  if (argument.type !== 'object') return [];
  return argument.parts.flatMap((part) => {
    const value = part.type === 'pair' ? part.childrenBy('value') : [part];
    const name = (part.child('key') ?? part.child('name'))?.text ?? '';
    return LEFT_OUT.test(name) || /err/i.test(name) ? [] : value.filter(({ type }) => FUNCTION.test(type));
  });
}

function named(body: SyntaxNode, name: string): readonly SyntaxNode[] {
  return statementsOf(body).flatMap((statement) => {
    if (statement.type === 'function_declaration') return statement.child('name')?.text === name ? [statement] : [];
    return ownNodes(statement, 'variable_declarator')
      .filter((one) => one.child('name')?.text === name)
      .flatMap((one) => one.childrenBy('value').filter(({ type }) => FUNCTION.test(type)));
  });
}

/** A failure in an asynchronous function is noticed only by whoever waits for it. */
function bodyOf(one: SyntaxNode, seen: Set<number>): readonly SyntaxNode[] {
  const body = /^async\b/.test(one.text) ? null : one.child('body');
  if (body === null || seen.has(body.start)) return [];
  seen.add(body.start);
  return [body];
}

function untilReturn(statements: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const end = statements.findIndex((one) => ownNodes(one, 'return_statement').length > 0);
  return end === -1 ? statements : statements.slice(0, end);
}
