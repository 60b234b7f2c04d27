import type { SyntaxNode } from '../../../syntax/node.ts';
import { ABSENCE } from '../loops.ts';
import { nestedStatements, runStatements } from './body.ts';
import { assertionOf, isCatching } from './expectations.ts';
import { onlyLoops } from './nested.ts';

/**
 * Conditions that a test asserts of each value that the product returns, in a loop, `all(…)` or `not any(…)`. If one of them is reversed,
 * the test must fail; it passes if there are no values, so that it asserts nothing. Not if it is about what should not be there.
 */
export function pythonEachConditions(test: SyntaxNode): readonly SyntaxNode[] {
  if (ABSENCE.test(test.child('name')?.text ?? '')) return [];
  const looped = onlyLoops(test) ? nestedStatements(test, isCatching).filter((one) => isInLoop(one, test)) : [];
  return [
    ...looped.flatMap(assertionOf).flatMap((one) => (one.kind === 'truth' ? [one.value] : [])),
    ...runStatements(test)
      .flatMap(assertionOf)
      .flatMap((one) => (one.kind === 'truth' ? quantified(one.value) : [])),
  ];
}

const isInLoop = (statement: SyntaxNode, test: SyntaxNode): boolean =>
  [...statement.ancestors()].some(({ type, start }) => type === 'for_statement' && start > test.start);

/** `all(row.ok for row in rows())`, `not any(…)` */
function quantified(condition: SyntaxNode): readonly SyntaxNode[] {
  if (condition.type === 'parenthesized_expression') return condition.parts.flatMap(quantified);
  const isDenied = condition.type === 'not_operator';
  const call = isDenied ? condition.child('argument') : condition;
  const asked = isDenied !== isAssertedFalse(condition) ? 'any' : 'all';
  if (call?.type !== 'call' || call.child('function')?.text !== asked) return [];
  const given = call.child('arguments');
  const values = given?.type === 'argument_list' ? given.parts[0] : given;
  if (values === undefined || values === null || !/^(?:generator_expression|list_comprehension)$/.test(values.type))
    return [];
  const body = values.child('body');
  const [first, ...others] = values.parts.filter((part) => part !== body);
  const isPlain = first?.type === 'for_in_clause' && others.length === 0 && !ABSENCE.test(first.text);
  return body === null || !isPlain ? [] : [body];
}

/** `self.assertFalse(condition)` */
const isAssertedFalse = (condition: SyntaxNode): boolean => {
  const call = condition.parent?.type === 'argument_list' ? condition.parent.parent : null;
  return /false_?$/i.test(call?.child('function')?.text ?? '');
};
