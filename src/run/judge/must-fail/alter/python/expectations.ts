import type { SyntaxNode } from '../../../syntax/node.ts';
import { similarDecimal, similarInteger, similarText } from '../similar-values.ts';
import type { Order } from '../order.ts';

/** An assertion at the top level of a test, and what it expects. */
export type PythonAssertion =
  | { readonly kind: 'scalar'; readonly scalars: readonly SyntaxNode[] }
  /** The expected value is computed: a helper alters it at run time. */
  | { readonly kind: 'value'; readonly value: SyntaxNode }
  /** Only truth is expected. */
  | { readonly kind: 'truth'; readonly value: SyntaxNode }
  /** Truth is expected for each of several values, of which there must be some. */
  | { readonly kind: 'each'; readonly value: SyntaxNode };

/** Contexts in which an exception may be expected, so that a failure inside them may not count. */
const CATCHING = /rais|warn|suppress|except|error|fail|expect|deprecat|assert/i;
/** Without an explicit tolerance: values that differ by one are not almost equal. */
const ALMOST = /^assert_?almost_?equals?$/i;
const EQUALITY =
  /^(?:assert_?equals?|assertIs|assert(?:List|Dict|Tuple|Set|Sequence|MultiLine)Equal|assertCountEqual|eq_)$/i;
const CALLED_WITH = /^assert_(?:called|called_once|any_call|awaited|awaited_once)(?:_with)?$/;
const TRUTH = /^assert(?:True|False|_true|_false|_)$/;
const CONTAINERS = new Set(['list', 'tuple', 'set', 'dictionary', 'pair', 'parenthesized_expression']);

export function assertionOf(statement: SyntaxNode): readonly PythonAssertion[] {
  switch (statement.type) {
    case 'assert_statement':
      return asserted(statement.parts[0]);
    case 'expression_statement':
      return statement.parts.flatMap((call) => (call.type === 'call' ? callAssertion(call) : []));
    default:
      return [];
  }
}

export const isCatching = (statement: SyntaxNode): boolean =>
  CATCHING.test(statement.firstOfType('with_clause')?.text ?? '');

function asserted(condition: SyntaxNode | undefined): readonly PythonAssertion[] {
  if (condition === undefined) return [];
  const operators = condition.type === 'comparison_operator' ? condition.childrenBy('operators') : [];
  const [left, right] = condition.parts;
  if (operators.length === 1 && left !== undefined && right !== undefined) {
    if (operators[0]?.type === '==') return [expectedOf(left, right)];
    const close = /^<=?$/.test(operators[0]?.type ?? '') ? withinTolerance(left, right) : [];
    if (close.length > 0) return [{ kind: 'scalar', scalars: close }];
    const singleton = [right, left].find(({ type }) => /^(?:none|true|false)$/.test(type));
    if (operators[0]?.type === 'is' && singleton !== undefined) return [{ kind: 'scalar', scalars: [singleton] }];
  }
  return [{ kind: 'truth', value: condition }];
}

export function callAssertion(call: SyntaxNode): readonly PythonAssertion[] {
  const callee = call.child('function');
  const name = (callee?.type === 'attribute' ? callee.child('attribute') : callee)?.text ?? '';
  const given = call.child('arguments')?.parts ?? [];
  const [first, second] = given;
  if (given.some(({ type }) => type === 'list_splat' || type === 'dictionary_splat')) return [];
  if (CALLED_WITH.test(name)) {
    const scalars = given.flatMap((argument) => scalarsIn(argument.child('value') ?? argument));
    return scalars.length === 0 ? [] : [{ kind: 'scalar', scalars }];
  }
  if (first === undefined || first.type === 'keyword_argument') return [];
  if (/^assert_?true$/i.test(name)) return asserted(first);
  if (TRUTH.test(name)) return [{ kind: 'truth', value: first }];
  if (second === undefined || second.type === 'keyword_argument') return [];
  const isAlmost = ALMOST.test(name) && given.length === 2 && scalarsIn(second).length + scalarsIn(first).length > 0;
  if (!isAlmost && !EQUALITY.test(name)) return [];
  return [expectedOf(first, second)];
}

/** The side that contains a literal; otherwise the side without a call, since the other one calls the product. */
function expectedOf(left: SyntaxNode, right: SyntaxNode): PythonAssertion {
  for (const side of [right, left]) {
    const scalars = scalarsIn(side);
    if (scalars.length > 0) return { kind: 'scalar', scalars };
  }
  const plain = [right, left].find((side) => [...side.ofType('call')].length === 0);
  return { kind: 'value', value: plain ?? right };
}

function scalarsIn(node: SyntaxNode): readonly SyntaxNode[] {
  if (CONTAINERS.has(node.type)) {
    const values = node.type === 'pair' ? node.childrenBy('value') : node.parts;
    return values.flatMap(scalarsIn);
  }
  if (node.type === 'call') return approximated(node);
  return nearOf(node, null) === null ? [] : [node];
}

/** `pytest.approx(2.5)`, without an explicit tolerance. */
function approximated(call: SyntaxNode): readonly SyntaxNode[] {
  const [value, ...rest] = call.child('arguments')?.parts ?? [];
  const isApprox = /^(?:pytest\s*\.\s*)?approx$/.test(call.child('function')?.text ?? '');
  return !isApprox || value === undefined || rest.length > 0 || value.type === 'keyword_argument'
    ? []
    : scalarsIn(value);
}

/** The literal in `abs(product() - 2.5) < 1e-9`, if the tolerance is smaller than the difference to a near value. */
function withinTolerance(left: SyntaxNode, right: SyntaxNode): readonly SyntaxNode[] {
  const [difference, ...rest] = left.type === 'call' ? (left.child('arguments')?.parts ?? []) : [];
  if (difference?.type !== 'binary_operator' || rest.length > 0 || left.child('function')?.text !== 'abs') return [];
  if (difference.child('operator')?.type !== '-' || right.type !== 'float' || Number(right.text) > 0.5) return [];
  return difference.parts.flatMap(scalarsIn);
}

/**
 * The source of a value near the literal's. Null: not a literal, or it has no near value. Without an order, only whether one exists.
 */
export function nearOf(node: SyntaxNode, order: Order | null): string | null {
  const { text } = node;
  switch (node.type) {
    case 'integer':
      return order === null ? (/^\d+$/.test(text) ? text : null) : similarInteger(text, order.draw);
    case 'float':
      return order === null ? (/^\d+\.\d+$/.test(text) ? text : null) : similarDecimal(text, order.draw);
    case 'true':
      return 'False';
    case 'false':
      return 'True';
    case 'none':
      return '0';
    case 'unary_operator': {
      const near = node.child('operator')?.type === '-' ? nearOf(node.child('argument') ?? node, order) : null;
      return near === null ? null : `-${near}`;
    }
    case 'string': {
      const [start, end] = [node.firstOfType('string_start'), node.firstOfType('string_end')];
      if (start === null || end === null || /[ft]/i.test(start.text)) return null;
      const content = node.source.slice(start.end, end.start);
      return order === null ? text : `${start.text}${similarText(content, order.draw)}${end.text}`;
    }
    case 'concatenated_string': {
      const parts = node.parts.filter(({ type }) => type === 'string');
      const part = parts.find((one) => nearOf(one, null) !== null);
      const near = part === undefined ? null : nearOf(part, order);
      if (part === undefined || near === null) return null;
      return text.slice(0, part.start - node.start) + near + text.slice(part.end - node.start);
    }
    default:
      return null;
  }
}
