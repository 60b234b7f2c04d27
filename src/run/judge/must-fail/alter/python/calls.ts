import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { inTurn, type Order } from '../order.ts';
import { nestedStatements } from './body.ts';
import { isCatching } from './expectations.ts';
import { alteredValue, choosePython, defineFirst, failing, failUnreached, namesFor } from './test-helpers.ts';

const CHECKING = /^_*(?:assert|check|expect|verify|ensure|same|equal|compare|must)/i;

/** Assertions that another value may satisfy too: an order, a type, an exception. */
const NO_EQUALITY =
  /greater|less|more|above|below|between|rais|throw|warn|logs?$|instance|subclass|type|not|differ|in$|contain|has|regex|match|call|output|exist|none|true|false|valid|range|sort|almost|near|close|approx|start|end/i;

/** Calls of comparison functions with at least two values: functions of the same file that assert, or functions with such a name. */
export function comparingCalls(test: SyntaxNode): readonly SyntaxNode[] {
  const [root = test] = [...test.ancestors()].slice(-1);
  const asserting = new Set(
    [...root.ofType('function_definition')]
      .filter((one) => one.start !== test.start && comparesInAssertion(one))
      .map((one) => one.child('name')?.text ?? ''),
  );
  return nestedStatements(test, isCatching).flatMap((statement) => {
    const [call] = statement.type === 'expression_statement' ? statement.parts : [];
    const callee = call?.type === 'call' ? call.child('function') : null;
    const name = callee?.type === 'attribute' ? callee.child('attribute')?.text : callee?.text;
    const given = call?.child('arguments')?.parts ?? [];
    const isPlain = given.length >= 2 && given.every(({ type }) => !/splat|keyword_argument/.test(type));
    if (callee === null || name === undefined || !isPlain || callee.text.includes('\n')) return [];
    return asserting.has(name) || (CHECKING.test(name) && !NO_EQUALITY.test(name)) ? [callee] : [];
  });
}

const comparesInAssertion = (definition: SyntaxNode): boolean =>
  [...definition.ofType('assert_statement')].some(({ text }) => text.includes('=='));

/**
 * Calls each of them unchanged, or first with one argument after the other altered: if none of these calls fails, the function compares
 * nothing.
 */
export function spellCalls(test: SyntaxNode, callees: readonly SyntaxNode[], order: Order): readonly Edit[] | null {
  const { draw, fails, token } = order;
  const { reached, alter, pass } = namesFor(draw);
  const drawn = inTurn(callees, order);
  const last = failUnreached(test, reached, false, order);
  if (last === null) return null;
  const plain = 'isinstance(v, (str, bytes, int, float, list, tuple, dict))';
  const others = `[f(*a[:i], (lambda v: ${alteredValue(token)})(v), *a[i + 1:]) for i, v in enumerate(a) if ${plain}]`;
  return [
    defineFirst(test, [
      `${reached} = []`,
      `${pass} = lambda f: (${reached}.append(1), f)[1]`,
      // If no argument can be altered, the copy fails, as it must.
      `${alter} = lambda f: (${reached}.append(0), lambda *a: (${others} or ${failing(token)}, f(*a))[1])[1]`,
    ]),
    ...callees.map((callee) =>
      choosePython(callee, `${pass}(${callee.text})`, `${alter}(${callee.text})`, fails && callee === drawn, order),
    ),
    last,
  ];
}
