import type { SyntaxNode } from '../../../syntax/node.ts';
import { ABSENCE } from '../loops.ts';
import { ownNodes, statementsOf } from './body.ts';
import { nestedReadings, onlyLoopsIn } from './nested.ts';

/**
 * Conditions that a test asserts of each value that the product returns, in a loop, `every` or a denied `some`. If one of them is
 * reversed, the test must fail; it passes if there are no values, so that it asserts nothing. Not if it is about what should not be there.
 */
export function eachConditions(test: SyntaxNode, body: SyntaxNode): readonly SyntaxNode[] {
  const looped = onlyLoopsIn(body)
    ? nestedReadings(test, body).flatMap((one) =>
        one.kind === 'truth' && isInLoop(one.value, body) ? [one.value] : [],
      )
    : [];
  const end = ownNodes(body, 'return_statement').length;
  const statements = body.type !== 'statement_block' ? [body] : end > 0 ? [] : statementsOf(body);
  return [...looped, ...statements.flatMap(quantified)];
}

const isInLoop = (node: SyntaxNode, body: SyntaxNode): boolean =>
  [...node.ancestors()].some(
    (one) =>
      one.start > body.start &&
      (one.type === 'for_in_statement' ||
        (one.type === 'call_expression' && one.child('function')?.child('property')?.text === 'forEach')),
  );

const asserting = (yes: string, be: string, names: string, operand: string): RegExp =>
  new RegExp(
    String.raw`^(?:expect\(@\)\.(?:(?:to\.)?(?:toBe|toEqual|toStrictEqual|equal|eql)\(${yes}\)|${be})|(?:\w+\.)?(?:${names})\(${operand}(?:,.*)?\)|\w+\.(?:equal|strictEqual|deepEqual|is|same)\(@,${yes}(?:,.*)?\));?$`,
  );
/** Statements without blanks, in which @ stands for what the product's values are asked. */
const ASSERTED = asserting('true', String.raw`toBeTruthy\(\)|to\.be\.(?:true|ok)`, 'assert|ok|true|truthy|isTrue', '@');
const DENIED = [
  asserting('false', String.raw`toBeFalsy\(\)|to\.be\.false`, 'notOk|false|falsy|isFalse', '@'),
  asserting('true', 'none', 'assert|ok|true|truthy|isTrue', '!@'),
];

/** `assert.ok(rows().every((row) => row.ok))`, `expect(rows().some(…)).toBe(false)` */
function quantified(statement: SyntaxNode): readonly SyntaxNode[] {
  return [...statement.ofType('call_expression')].flatMap((call) => {
    const callee = call.child('function');
    const name = callee?.child('property')?.text;
    const [callback, ...others] = call.child('arguments')?.parts ?? [];
    const condition =
      callback?.type === 'arrow_function' && !/^async\b/.test(callback.text) ? callback.child('body') : null;
    if (condition === null || condition.type === 'statement_block' || others.length > 0) return [];
    if (ABSENCE.test(callee?.child('object')?.text ?? '')) return [];
    const around =
      statement.text.slice(0, call.start - statement.start) + '@' + statement.text.slice(call.end - statement.start);
    const plain = around.replaceAll(/\s/g, '');
    const isAsked = name === 'every' ? ASSERTED.test(plain) : name === 'some' && DENIED.some((one) => one.test(plain));
    return isAsked ? [condition] : [];
  });
}
