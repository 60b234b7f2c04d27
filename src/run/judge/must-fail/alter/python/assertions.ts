import type { Edit } from '../../../syntax/edits.ts';
import type { SyntaxNode } from '../../../syntax/node.ts';
import { inTurn, type Order } from '../order.ts';
import { pythonOwnNodes, pythonStatements, runStatements } from './body.ts';
import { pythonEachConditions } from './each.ts';
import { comparingCalls, spellCalls } from './calls.ts';
import { type PythonAssertion, assertionOf, isCatching, nearOf } from './expectations.ts';
import { choosePython, definePythonHelpers } from './test-helpers.ts';
import { nestedPythonValues, onlyLoops, spellPythonValues, pythonValuesInCallbacks } from './nested.ts';

export function spellPythonAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const { sure, inner, mustReach } = expectedIn(test, order);
  const turn = order.turn % Math.max(1, sure.length + inner.length);
  if (turn >= sure.length && inner.length > 0)
    return spellPythonValues(test, inner, mustReach, { ...order, turn: turn - sure.length });
  const calls = sure.length > 0 ? [] : comparingCalls(test);
  if (calls.length > 0) return spellCalls(test, calls, order);
  // Chosen for both kinds of copies, so that they differ in nothing else.
  const chosen = inTurn(sure, { ...order, turn });
  const altered = order.fails ? chosen : undefined;
  const helper = `_n${order.draw.hex(6)}`;
  const edits = sure.flatMap((assertion) => spell(assertion, assertion === altered, helper, order));
  if (edits.length === 0) return null;
  return sure.some(({ kind }) => kind === 'value')
    ? [definePythonHelpers(test, [helper, null], order), ...edits]
    : edits;
}

/** How many copies of a test can be made that each alter another expected value. */
export function countPythonChoices(test: SyntaxNode, order: Order): number {
  const { sure, inner } = expectedIn(test, order);
  const choices = inner.length + sure.filter(({ kind }) => kind !== 'truth').length;
  return sure.length > 0 || inner.length > 0 ? choices : comparingCalls(test).length;
}

interface ExpectedValues {
  /** Assertions that certainly run. */
  readonly sure: readonly PythonAssertion[];
  /** Expected values that may not be reached. */
  readonly inner: readonly SyntaxNode[];
  /**
   * The test shows nothing if none of them is reached: all are in functions that the product is given, and no yes or no, which may be
   * about what must not be there, or all are in loops that ran when the test failed before the patch.
   */
  readonly mustReach: boolean;
}

function expectedIn(test: SyntaxNode, { fixed }: Order): ExpectedValues {
  const all = assertionsIn(runStatements(test));
  const equalities = all.filter(({ kind }) => kind !== 'truth');
  const nested = equalities.length > 0 ? [] : nestedPythonValues(test);
  const inCallbacks = fixed ? pythonValuesInCallbacks(test) : [];
  const inner = [...nested, ...inCallbacks];
  const isTelling = inCallbacks.every(({ type }) => /^(?:integer|float|string)$/.test(type));
  const each = fixed ? pythonEachConditions(test) : [];
  const sure = equalities.length > 0 ? equalities : inner.length > 0 ? [] : all;
  return {
    sure: [
      ...sure.filter((one) => one.kind !== 'truth' || !each.some((condition) => isWithin(condition, one.value))),
      ...each.map((value) => ({ kind: 'each', value }) as const),
    ],
    inner,
    mustReach:
      all.length === 0 && (nested.length === 0 ? isTelling : fixed && inCallbacks.length === 0 && onlyLoops(test)),
  };
}

const isWithin = (inner: SyntaxNode, outer: SyntaxNode): boolean =>
  inner.start >= outer.start && inner.end <= outer.end;

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
    case 'each':
      return [
        choosePython(assertion.value, `(${assertion.value.text})`, `not (${assertion.value.text})`, altered, order),
      ];
    default:
      return assertion satisfies never;
  }
}
