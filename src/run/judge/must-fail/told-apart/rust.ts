import type { SyntaxNode } from '../../syntax/node.ts';
import {
  type ComparisonReader,
  earliestPlace,
  type ExpectedValue,
  expectedValue,
  type ValueComparison,
} from './comparison-site.ts';
import { splitTokens, type Tokens } from '../alter/rust/tokens.ts';

export const rustComparisons: ComparisonReader = {
  comparisonsIn: (test) => {
    const statements = test.child('body')?.parts ?? [];
    return statements.flatMap((statement) => compared(statement, statements));
  },
  insertion: (demand) => `${demand}; return; `,
};

/** `assert_eq!(a, b)`, `assert!(a == b)` */
function compared(statement: SyntaxNode, statements: readonly SyntaxNode[]): readonly ValueComparison[] {
  const call = statement.type === 'expression_statement' ? statement.parts[0] : statement;
  const name = call?.type === 'macro_invocation' ? (call.child('macro')?.text ?? '') : '';
  const tokens = call?.firstOfType('token_tree')?.children.slice(1, -1) ?? [];
  const [left = [], right = []] = name === 'assert' ? splitTokens(tokens, '==') : splitTokens(tokens, ',');
  if (!/^assert(?:_eq)?$/.test(name) || left.length === 0 || right.length === 0) return [];
  const expected = expectedOf(left, right, statements);
  if (expected === null) return [];
  return [
    {
      expected,
      demand: (actual, other) => `assert_eq!(${actual}, ${other})`,
      at: earliestPlace(statements, statement, expected),
    },
  ];
}

/** The side that a constructor makes; otherwise the side that the tested function does not make. */
function expectedOf(left: Tokens, right: Tokens, statements: readonly SyntaxNode[]): ExpectedValue | null {
  const [tested, making] = [given(left, statements), given(right, statements)];
  const constructed = [making, tested].find((tokens) =>
    /^[&*\s]*(?:\w+::)*[A-Z]\w*(?:::\w+)?\s*[({]/.test(textOf(tokens)),
  );
  if (constructed !== undefined) return expectedValue(constructed);
  const [one, other] = [tested, making].map((tokens) => /^[&*\s]*([\w:]+)\s*\(/.exec(textOf(tokens))?.[1] ?? '');
  return one === '' || other === '' || one === other ? null : expectedValue(making);
}

function given(tokens: Tokens, statements: readonly SyntaxNode[]): Tokens {
  const [only, more] = tokens;
  if (only?.type !== 'identifier' || more !== undefined) return tokens;
  const declared = statements.filter(
    (one) => one.type === 'let_declaration' && one.child('pattern')?.text === only.text,
  );
  const value = declared.length === 1 ? declared[0]?.child('value') : null;
  return value === null || value === undefined ? tokens : [value];
}

const textOf = (tokens: Tokens): string =>
  tokens[0]?.source.slice(tokens[0].start, tokens.at(-1)?.end ?? tokens[0].end) ?? '';
