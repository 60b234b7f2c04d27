import type { SyntaxNode } from '../../syntax/node.ts';
import { statementsOf } from '../alter/javascript/body.ts';
import type { ComparisonReader, ValueComparison } from './comparison-site.ts';
import { betweenSides, type StatementPlace } from './sides.ts';

export const javascriptComparisons: ComparisonReader = {
  comparisonsIn: (test) => {
    const body = test.child('body');
    const statements = body?.type === 'statement_block' ? statementsOf(body) : [];
    return statements.flatMap((statement) => {
      const [expression] = statement.parts;
      return statement.type === 'expression_statement' && expression !== undefined
        ? compared(expression, statement, statements)
        : [];
    });
  },
  insertion: (demand) => `${demand}; return; `,
};

const MATCHERS = /^(?:toBe|toEqual|toStrictEqual|toMatchObject|equals?|eqls?|eq|deepEqual)$/;
const COMPARISONS =
  /^(?:equals?|strictEquals?|deepEquals?|deepStrictEqual|is|same|strictSame|strict_?equal|deep_?equal|assertEquals|eql)$/;
const TRUTH = /^(?:ok|assert|true|truthy|isTrue)$/;
const EQUAL_METHOD = /^(?:equals?|is_?equal(?:_?to)?|eq|same)$/i;

function compared(
  call: SyntaxNode,
  statement: SyntaxNode,
  statements: readonly SyntaxNode[],
): readonly ValueComparison[] {
  const callee = call.type === 'call_expression' ? call.child('function') : null;
  if (callee === null || /\b(?:not|never|resolves|rejects)\b/.test(callee.text.split('(').at(-1) ?? '')) return [];
  const name = (callee.child('property') ?? callee).text;
  const [first, second] = call.child('arguments')?.parts ?? [];
  const expecting = expectCall(callee);
  const at = { statement, statements };
  if (expecting !== null) {
    const chain = callee.source.slice(expecting.call.end, callee.end);
    const named = expecting.call.child('function')?.text ?? 'expect';
    return MATCHERS.test(name)
      ? betweenSides(expecting.actual, first, at, (actual, expected) => `${named}(${actual})${chain}(${expected})`)
      : [];
  }
  if (TRUTH.test(name) && first !== undefined) return askedForTruth(first, callee.text, at);
  if (!COMPARISONS.test(name)) return [];
  return betweenSides(first, second, at, (actual, expected) => `${callee.text}(${actual}, ${expected})`);
}

/** `assert.ok(a.equals(b))` */
function askedForTruth(condition: SyntaxNode, asserting: string, at: StatementPlace): readonly ValueComparison[] {
  const callee = condition.type === 'call_expression' ? condition.child('function') : null;
  const method = callee?.child('property')?.text ?? '';
  const given = condition.child('arguments')?.parts ?? [];
  const object = callee?.child('object') ?? undefined;
  if (!EQUAL_METHOD.test(method) || given.length !== 1) return [];
  return betweenSides(object, given[0], at, (actual, expected) => `${asserting}((${actual}).${method}(${expected}))`);
}

/** `expect(x)` at the root of a chain. */
function expectCall(callee: SyntaxNode): { readonly call: SyntaxNode; readonly actual: SyntaxNode } | null {
  let at: SyntaxNode | null = callee;
  while (at?.type === 'member_expression') at = at.child('object');
  const [actual] = at?.child('arguments')?.parts ?? [];
  return at?.type === 'call_expression' &&
    actual !== undefined &&
    /(?:^|\.)expect$/.test(at.child('function')?.text ?? '')
    ? { call: at, actual }
    : null;
}
