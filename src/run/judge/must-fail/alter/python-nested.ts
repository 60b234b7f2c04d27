import type { Edit } from '../../syntax/edits.ts';
import type { SyntaxNode } from '../../syntax/node.ts';
import { comparisonText, drawComparison } from './comparison.ts';
import { insert, type Order } from './order.ts';
import { lineEnd, marginAt, pythonOwnNodes, pythonStatements, runStatements } from './python-body.ts';
import { type Assertion, assertionOf, isCatching } from './python-expectations.ts';
import { choose, defineHelpers } from './python-helpers.ts';

/** Expected values in loops and branches, which perhaps do not run. */
export function nestedAssertions(test: SyntaxNode): readonly SyntaxNode[] {
  // What comes after a return would not be missed.
  if (pythonOwnNodes(test, 'return_statement').length > 0) return [];
  const within = (statements: readonly SyntaxNode[]): readonly Assertion[] =>
    statements.flatMap((statement) => {
      if (!/^(?:for|while|if|with)_statement$/.test(statement.type)) return assertionOf(statement);
      if (statement.type === 'with_statement' && isCatching(statement)) return [];
      return bodiesOf(statement).flatMap((body) => within(pythonStatements(body)));
    });
  return within(runStatements(test)).flatMap((assertion) => {
    if (assertion.kind === 'truth') return [];
    const value = assertion.kind === 'value' ? assertion.value : assertion.scalars[0];
    return value === undefined || value.text.includes('\n') ? [] : [value];
  });
}

function bodiesOf(statement: SyntaxNode): readonly SyntaxNode[] {
  const others = statement
    .childrenBy('alternative')
    .flatMap((one) => one.childrenBy('body').concat(one.childrenBy('consequence')));
  return [...statement.childrenBy('body'), ...statement.childrenBy('consequence'), ...others];
}

/** Values that a helper passes on as they are or alters; a copy that must fail also does where none of them was reached. */
export function spellNested(test: SyntaxNode, values: readonly SyntaxNode[], order: Order): readonly Edit[] | null {
  const { draw, fails, token } = order;
  const statements = runStatements(test);
  const [first] = statements;
  const last = statements.at(-1);
  const margin = first === undefined ? null : marginAt(test.source, first.start);
  if (first === undefined || last === undefined || margin === null) return null;
  const name = draw.hex(6);
  const [reached, alter, pass] = [`_r${name}`, `_n${name}`, `_o${name}`];
  const drawn = draw.pick(values);
  const condition = comparisonText(drawComparison(draw, fails));
  return [
    defineHelpers(test, [alter, { reached, pass }], order),
    ...values.map((value) =>
      choose(value, `${pass}(${value.text})`, `${alter}(${value.text})`, fails && value === drawn, order),
    ),
    insert(
      lineEnd(test.source, last.end),
      `\n${margin}if not ${reached} and ${condition}: raise AssertionError("${token}")`,
    ),
  ];
}
