import type { SyntaxNode } from '../../syntax/node.ts';
import type { ComparisonReader, ValueComparison } from './comparison-site.ts';
import { betweenSides, type StatementPlace } from './sides.ts';

export const goComparisons: ComparisonReader = {
  comparisonsIn: (test) => {
    const reporter = test.child('parameters')?.parts[0]?.child('name')?.text ?? '';
    const statements = test.child('body')?.firstOfType('statement_list')?.parts ?? [];
    if (!/^[a-z]\w*$/i.test(reporter)) return [];
    return statements.flatMap((statement) => compared({ statement, statements }, reporter));
  },
  insertion: (demand) => `${demand}; return; `,
};

function compared(at: StatementPlace, reporter: string): readonly ValueComparison[] {
  const { statement } = at;
  if (statement.type === 'if_statement') {
    const condition = statement.child('condition');
    // Names that `if` declares before its condition do not exist earlier.
    const within = { statement, statements: withInitializer(at) };
    return condition === null
      ? []
      : unequal(condition, within, (text) => `if (${text}) { ${reporter}.Error("unequal") }`);
  }
  const call = statement.type === 'expression_statement' ? statement.parts[0] : undefined;
  const callee = call?.type === 'call_expression' ? call.child('function') : null;
  const [first, left, right, ...more] = call?.child('arguments')?.parts ?? [];
  if (callee === null || first?.text !== reporter || more.length > 2) return [];
  const rest = more.map(({ text }) => `, ${text}`).join('');
  const made = betweenSides(
    left,
    right,
    at,
    (actual, expected) => `${callee.text}(${reporter}, ${actual}, ${expected}${rest})`,
  );
  return made;
}

function withInitializer({ statement, statements }: StatementPlace): readonly SyntaxNode[] {
  const initializer = statement.child('initializer');
  if (initializer === null) return statements;
  const at = statements.indexOf(statement);
  return [...statements.slice(0, at), initializer, ...statements.slice(at)];
}

/** `got != want`, `!reflect.DeepEqual(got, want)`, `!got.Equal(want)`. */
function unequal(
  condition: SyntaxNode,
  at: StatementPlace,
  failIf: (text: string) => string,
): readonly ValueComparison[] {
  const operator = condition.child('operator')?.type;
  const [left, right] = [condition.child('left') ?? undefined, condition.child('right') ?? undefined];
  if (condition.type === 'parenthesized_expression') return condition.parts.flatMap((one) => unequal(one, at, failIf));
  if (operator === '||') return [left, right].flatMap((one) => (one === undefined ? [] : unequal(one, at, failIf)));
  if (operator === '!=') return betweenSides(left, right, at, (one, other) => failIf(`(${one}) != (${other})`));
  const call = condition.type === 'unary_expression' && operator === '!' ? condition.child('operand') : null;
  const callee = call?.type === 'call_expression' ? call.child('function') : null;
  const [first, second, third] = call?.child('arguments')?.parts ?? [];
  const object = callee?.child('operand') ?? undefined;
  if (callee === null || !/equal|same/i.test(callee.text) || third !== undefined) return [];
  if (second !== undefined)
    return betweenSides(first, second, at, (one, other) => failIf(`!${callee.text}(${one}, ${other})`));
  const method = callee.child('field')?.text ?? '';
  return betweenSides(object, first, at, (one, other) => failIf(`!(${one}).${method}(${other})`));
}
