import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { drawChoice } from './comparison.ts';
import { nearDecimal, nearInteger, nearText } from './near.ts';
import { insert, type Order, replace } from './order.ts';
import { marginAt, pythonOwnNodes, runStatements, pythonStatements } from './python-body.ts';

/** An assertion at the top level of a test, and what it expects. */
type Assertion =
  | { readonly kind: 'scalar'; readonly scalars: readonly SyntaxNode[] }
  /** The expected value is calculated: a helper makes another one of it. */
  | { readonly kind: 'value'; readonly value: SyntaxNode }
  /** Nothing is expected but truth. */
  | { readonly kind: 'truth'; readonly value: SyntaxNode };

/** An exception may be expected in these, so that a failure in them is none. */
const CATCHING = /rais|warn|suppress|except|error|fail|expect|deprecat|assert/i;
const EQUALITY =
  /^(?:assert_?equals?|assertIs|assert(?:List|Dict|Tuple|Set|Sequence|MultiLine)Equal|assertCountEqual|eq_)$/i;
const CALLED_WITH = /^assert_(?:called|called_once|any_call|awaited|awaited_once)(?:_with)?$/;
const TRUTH = /^assert(?:True|False|_true|_false|_)$/;
const CONTAINERS = new Set(['list', 'tuple', 'set', 'dictionary', 'pair', 'parenthesized_expression']);

export function spellPythonAssertions(test: SyntaxNode, order: Order): readonly Edit[] | null {
  const all = assertionsIn(runStatements(test));
  const equalities = all.filter(({ kind }) => kind !== 'truth');
  const assertions = equalities.length > 0 ? equalities : all;
  // Drawn for both kinds of copies, so that they differ in nothing else.
  const drawn = order.draw.pick(assertions);
  const altered = order.fails ? drawn : undefined;
  const helper = `_n${order.draw.hex(6)}`;
  const edits = assertions.flatMap((assertion) => spell(assertion, assertion === altered, helper, order));
  if (edits.length === 0) return null;
  return assertions.some(({ kind }) => kind === 'value') ? [defineHelper(test, helper, order), ...edits] : edits;
}

/** Those that surely run: none after a statement that may return. */
function assertionsIn(statements: readonly SyntaxNode[]): readonly Assertion[] {
  const end = statements.findIndex((statement) => pythonOwnNodes(statement, 'return_statement').length > 0);
  return (end === -1 ? statements : statements.slice(0, end)).flatMap((statement) => {
    switch (statement.type) {
      case 'assert_statement':
        return asserted(statement.parts[0]);
      case 'expression_statement':
        return statement.parts.flatMap((call) => (call.type === 'call' ? called(call) : []));
      case 'with_statement': {
        const body = statement.child('body');
        const catching = CATCHING.test(statement.firstOfType('with_clause')?.text ?? '');
        return body === null || catching ? [] : assertionsIn(pythonStatements(body));
      }
      default:
        return [];
    }
  });
}

function asserted(condition: SyntaxNode | undefined): readonly Assertion[] {
  if (condition === undefined) return [];
  const operators = condition.type === 'comparison_operator' ? condition.childrenBy('operators') : [];
  const [left, right] = condition.parts;
  if (operators.length === 1 && left !== undefined && right !== undefined) {
    if (operators[0]?.type === '==') return [expectedOf(left, right)];
    const singleton = [right, left].find(({ type }) => /^(?:none|true|false)$/.test(type));
    if (operators[0]?.type === 'is' && singleton !== undefined) return [{ kind: 'scalar', scalars: [singleton] }];
  }
  return [{ kind: 'truth', value: condition }];
}

function called(call: SyntaxNode): readonly Assertion[] {
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
  if (TRUTH.test(name)) return [{ kind: 'truth', value: first }];
  if (!EQUALITY.test(name) || second === undefined || second.type === 'keyword_argument') return [];
  return [expectedOf(first, second)];
}

/** The side that holds a literal; else the one that calls nothing, because the other one calls the product. */
function expectedOf(left: SyntaxNode, right: SyntaxNode): Assertion {
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
  return nearOf(node, null) === null ? [] : [node];
}

function spell(assertion: Assertion, altered: boolean, helper: string, order: Order): readonly Edit[] {
  const { draw } = order;
  switch (assertion.kind) {
    case 'scalar': {
      const scalar = draw.pick(assertion.scalars);
      const near = scalar === undefined ? null : nearOf(scalar, order);
      return scalar === undefined || near === null ? [] : [choose(scalar, scalar.text, near, altered, order)];
    }
    case 'value':
      return [choose(assertion.value, assertion.value.text, `${helper}(${assertion.value.text})`, altered, order)];
    case 'truth':
      return [choose(assertion.value, `(${assertion.value.text})`, `not (${assertion.value.text})`, altered, order)];
    default:
      return assertion satisfies never;
  }
}

function choose(node: SyntaxNode, own: string, near: string, altered: boolean, { draw }: Order): Edit {
  const { condition, first, second } = drawChoice(draw, own, near, altered);
  return replace(node, `(${first} if ${condition} else ${second})`);
}

/** Source of a value near to the literal's. Null: not a literal that has one. Without an order only whether there is one. */
function nearOf(node: SyntaxNode, order: Order | null): string | null {
  const { text } = node;
  switch (node.type) {
    case 'integer':
      return order === null ? (/^\d+$/.test(text) ? text : null) : nearInteger(text, order.draw);
    case 'float':
      return order === null ? (/^\d+\.\d+$/.test(text) ? text : null) : nearDecimal(text, order.draw);
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
      return order === null ? text : `${start.text}${nearText(content, order.draw)}${end.text}`;
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

/** What it cannot alter it fails by, as a copy that throws. */
function defineHelper(test: SyntaxNode, name: string, { token }: Order): Edit {
  const [first] = runStatements(test);
  const cases = [
    'not v if isinstance(v, bool)',
    '(v + 1 if v + 1 != v else 0 if v else 1) if isinstance(v, (int, float))',
    '(v[1:2] + v[:1] + v[2:] if v[:1] != v[1:2] != v[:0] else v + v[:1]) if isinstance(v, (str, bytes)) and v',
    '(b"a" if isinstance(v, bytes) else "a") if isinstance(v, (str, bytes))',
    '0 if v is None',
    'v + [0] if type(v) is list',
    'v + (0,) if type(v) is tuple',
    '{**v, 0: 0} if type(v) is dict and 0 not in v',
    'v ^ {0} if type(v) in (set, frozenset)',
  ];
  const fail = `(_ for _ in ()).throw(AssertionError("${token}"))`;
  const definition = `${name} = lambda v: ${cases.join(' else ')} else ${fail}`;
  const at = first?.start ?? test.end;
  const margin = marginAt(test.source, at);
  return insert(at, margin === null ? `${definition}; ` : `${definition}\n${margin}`);
}
