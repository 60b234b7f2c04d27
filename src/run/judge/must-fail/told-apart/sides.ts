import type { SyntaxNode } from '../../syntax/node.ts';
import { earliestPlace, type ExpectedValue, expectedValue, LITERAL, type ValueComparison } from './comparison-site.ts';

/** A statement of a test, and the other statements of its body. */
export interface StatementPlace {
  readonly statement: SyntaxNode;
  readonly statements: readonly SyntaxNode[];
}

/** The comparison of two sides, if one is made from literals. */
export function betweenSides(
  left: SyntaxNode | undefined,
  right: SyntaxNode | undefined,
  { statement, statements }: StatementPlace,
  demand: ValueComparison['demand'],
): readonly ValueComparison[] {
  if (left === undefined || right === undefined) return [];
  const made = [declaredValue(left, statements) ?? left, declaredValue(right, statements) ?? right] as const;
  if (made.some(isBeyondProduct)) return [];
  const inner = unwrapped(left, right);
  if (inner !== null) {
    const { around, pair } = inner;
    const within = (actual: string, expected: string): string => demand(around(actual), around(expected));
    return betweenSides(...pair, { statement, statements }, within);
  }
  const expected = expectedOf(...made);
  return expected === null ? [] : [{ expected, demand, at: earliestPlace(statements, statement, expected) }];
}

/** Another literal in its place is tried anyway, or what equals it is not up to the product, or does not depend on literals. */
const isBeyondProduct = (side: SyntaxNode): boolean =>
  LITERAL.test(side.type) ||
  /^(?:nil|null|undefined|None|true|false|True|False)$/.test(side.text) ||
  /^(?:len|cap|type|typeof)$/.test(callOf(side)?.callee.text ?? '') ||
  (side.type === 'composite_literal' && !isConstructed(side));

/**
 * The side made by a constructor; otherwise the right side, if the tested function does not make it: a function may return one value
 * for many inputs.
 */
function expectedOf(left: SyntaxNode, right: SyntaxNode): ExpectedValue | null {
  const constructed = [right, left].find(isConstructed);
  if (constructed !== undefined) return expectedValue([constructed]);
  const [tested, making] = [callOf(left), callOf(right)];
  if (tested === null || making === null || tested.callee.text === making.callee.text) return null;
  return expectedValue([right]);
}

/** `Money(3)`, `new Money(3)`, `Money{3}`, `money.Money(3)`, and lists of these. */
function isConstructed(node: SyntaxNode): boolean {
  if (/^(?:new_expression|struct_expression)$/.test(node.type)) return true;
  if (node.type === 'composite_literal')
    return !GO_BUILT_IN.test(node.child('type')?.text ?? '') || [...node.walk()].slice(1).some(isConstructed);
  if (/^(?:list|tuple|array|unary_expression|reference_expression|parenthesized_expression)$/.test(node.type))
    return node.parts.some(isConstructed);
  return /(?:^|[.:])[A-Z]\w*[a-z]\w*(?:$|::\w+$)/.test(callOf(node)?.callee.text ?? '');
}

/** Lists and maps of values whose equality Go itself defines. */
const GO_BUILT_IN =
  /^(?:\[[\w.]*\]|map\[|\]|\*|bool|string|byte|rune|u?int(?:8|16|32|64)?|uintptr|float(?:32|64)|complex(?:64|128))+$/;

/** `f(a)` and `f(b)`, `a.m()` and `b.m()`: values compared through the same function. Null: the sides differ otherwise. */
function unwrapped(
  left: SyntaxNode,
  right: SyntaxNode,
): { readonly around: (value: string) => string; readonly pair: readonly [SyntaxNode, SyntaxNode] } | null {
  const [one, other] = [callOf(left), callOf(right)];
  if (one === null || other === null || one.args.length !== other.args.length) return null;
  const [first] = one.args;
  const [second] = other.args;
  if (one.args.length === 1 && first !== undefined && second !== undefined && one.callee.text === other.callee.text)
    return isName(first) && isName(second)
      ? { around: (value) => `${one.callee.text}(${value})`, pair: [first, second] }
      : null;
  const [of, from] = [receiverOf(one.callee), receiverOf(other.callee)];
  if (one.args.length > 0 || of === null || from === null || of.method !== from.method) return null;
  return isName(of.object) && isName(from.object)
    ? { around: (value) => `(${value}).${of.method}()`, pair: [of.object, from.object] }
    : null;
}

const isName = ({ type }: SyntaxNode): boolean => type === 'identifier';

function callOf(node: SyntaxNode): { readonly callee: SyntaxNode; readonly args: readonly SyntaxNode[] } | null {
  const callee = node.type === 'call' || node.type === 'call_expression' ? node.child('function') : null;
  return callee === null ? null : { callee, args: node.child('arguments')?.parts ?? [] };
}

function receiverOf(callee: SyntaxNode): { readonly object: SyntaxNode; readonly method: string } | null {
  const object = callee.child('object') ?? callee.child('operand') ?? callee.child('value');
  const method = callee.child('attribute') ?? callee.child('property') ?? callee.child('field');
  return object === null || method === null ? null : { object, method: method.text };
}

/** The value assigned to a name in one of the statements; null: not a name, or assigned elsewhere or more than once. */
function declaredValue(node: SyntaxNode, statements: readonly SyntaxNode[]): SyntaxNode | null {
  if (!isName(node)) return null;
  const given = statements.flatMap((statement) =>
    [...statement.ofType('assignment', 'variable_declarator', 'short_var_declaration', 'let_declaration')].filter(
      (one) => (one.child('left') ?? one.child('name') ?? one.child('pattern'))?.text === node.text,
    ),
  );
  const [only, ...more] = given;
  if (only === undefined || more.length > 0) return null;
  const value = only.child('right') ?? only.child('value');
  return value?.type === 'expression_list' ? (value.parts[0] ?? null) : value;
}
