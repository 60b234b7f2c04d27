import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { ownNodes, parametersOf, statementsOf } from './body.ts';
import { eachConditions } from './each.ts';
import { type Assertion, readAssertion } from './expectations.ts';
import { nearLiteral } from './literals.ts';
import { choose, defineHelpers } from './test-helpers.ts';
import { nestedAssertions, onlyLoopsIn, spellNested, valuesInCallbacks } from './nested.ts';
import { inTurn, type Order } from '../order.ts';

export function spellAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const body = test.child('body');
  if (body === null) return null;
  const { sure, inner, mustReach } = expectedIn(test, body, order);
  const turn = order.turn % Math.max(1, sure.length + inner.length);
  if (turn >= sure.length && inner.length > 0)
    return spellNested(body, inner, mustReach, { ...order, turn: turn - sure.length });
  // Chosen for both kinds of copies, so that they differ in nothing else.
  const chosen = inTurn(sure, { ...order, turn });
  const altered = order.fails ? chosen : undefined;
  const helper = `n${order.draw.hex(6)}`;
  const edits = sure.flatMap((assertion) => spell(assertion, assertion === altered, helper, order));
  if (edits.length === 0) return null;
  const needsHelper = sure.some(({ kind }) => kind === 'value');
  return needsHelper ? [...defineHelpers(body, helper, null, order), ...edits] : edits;
}

/** How many copies of a test can be made that each alter another expected value. */
export function countChoices(test: SyntaxNode, order: Order): number {
  const body = test.child('body');
  if (body === null) return 0;
  const { sure, inner } = expectedIn(test, body, order);
  return inner.length + sure.filter(({ kind }) => kind !== 'truth').length;
}

interface ExpectedValues {
  /** Assertions that certainly run. */
  readonly sure: readonly Assertion[];
  /** Expected values that may not be reached. */
  readonly inner: readonly SyntaxNode[];
  /**
   * The test shows nothing if none of them is reached: all are in functions that the product is given, and no yes or no, which may be
   * about what must not be there, or all are in loops that ran when the test failed before the patch.
   */
  readonly mustReach: boolean;
}

function expectedIn(test: SyntaxNode, body: SyntaxNode, { fixed }: Order): ExpectedValues {
  const all = assertionsIn(test, body);
  const equalities = all.filter(({ kind }) => kind !== 'truth');
  const nested = equalities.length > 0 ? [] : nestedAssertions(test, body);
  const inCallbacks = fixed ? valuesInCallbacks(test, body) : [];
  const inner = [...nested, ...inCallbacks];
  const isTelling = inCallbacks.every(({ type }) => /^(?:number|string|template_string)$/.test(type));
  const each = fixed ? eachConditions(test, body) : [];
  const sure = equalities.length > 0 ? equalities : inner.length > 0 ? [] : all;
  return {
    sure: [
      ...sure.filter((one) => one.kind !== 'truth' || !each.some((condition) => isWithin(condition, one.value))),
      ...each.map((value) => ({ kind: 'each', value }) as const),
    ],
    inner,
    mustReach:
      all.length === 0 && (nested.length === 0 ? isTelling : fixed && inCallbacks.length === 0 && onlyLoopsIn(body)),
  };
}

const isWithin = (inner: SyntaxNode, outer: SyntaxNode): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

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
    case 'each':
      return [choose(assertion.value, `(${assertion.value.text})`, `!(${assertion.value.text})`, altered, order)];
    default:
      return assertion satisfies never;
  }
}
