import type { SyntaxNode } from '../../syntax/node.ts';

/** An assertion that two values are equal, one of which is made from literals. */
export interface ValueComparison {
  /** The expected value, as written in the test. */
  readonly expected: ExpectedValue;
  /** The same assertion for two other values. */
  readonly demand: (actual: string, expected: string) => string;
  /** The earliest place for the assertion: before other assertions, and after everything that the value is made from. */
  readonly at: number;
}

export interface ExpectedValue {
  readonly text: string;
  /** Its literals, by their offsets in the text. */
  readonly literals: readonly { readonly at: number; readonly text: string }[];
}

/** Reads the comparisons of tests in one language. */
export interface ComparisonReader {
  readonly comparisonsIn: (test: SyntaxNode) => readonly ValueComparison[];
  /** Code that makes the assertion and ends the test. */
  readonly insertion: (demand: string, test: SyntaxNode, at: number) => string;
}

export const LITERAL =
  /^(?:integer|float|string|true|false|number|int_literal|float_literal|interpreted_string_literal|raw_string_literal|integer_literal|string_literal|boolean_literal)$/;
/** Expressions that create a value of a product type, whose author defines its equality. */
const MADE = /^(?:call|new_expression|call_expression|composite_literal|token_tree)$/;

/** Null: only built-in values, or no literal to change. */
export function expectedValue(nodes: readonly SyntaxNode[]): ExpectedValue | null {
  const [first, last] = [nodes[0], nodes.at(-1)];
  if (first === undefined || last === undefined) return null;
  const all = nodes.flatMap((node) => [...node.walk((below) => !LITERAL.test(below.type))]);
  const literals = all.filter(({ type }) => LITERAL.test(type));
  if (literals.length === 0 || !all.some(({ type }) => MADE.test(type))) return null;
  return {
    text: first.source.slice(first.start, last.end),
    literals: literals.map(({ start, text }) => ({ at: start - first.start, text })),
  };
}

/** Before the statement, or earlier: right after the last statement that defines a name which the value uses. */
export function earliestPlace(
  statements: readonly SyntaxNode[],
  statement: SyntaxNode,
  { text }: ExpectedValue,
): number {
  const before = statements.slice(0, statements.indexOf(statement));
  const names = new Set(text.match(/[A-Za-z_$][\w$]*/g));
  const needed = before.findLastIndex(({ text: one }) => declared(one).some((name) => names.has(name)));
  return (statements[needed + 1] ?? statement).start;
}

/** Names that a statement may define: all before the first `=`, or those it declares. */
function declared(statement: string): readonly string[] {
  const [before = '', ...after] = statement.split(/:?=(?![=>])/);
  const head =
    after.length > 0 ? before : (/^\s*(?:def|func|function|class|import|from|var)\b.*/.exec(statement)?.[0] ?? '');
  return head.match(/[A-Za-z_$][\w$]*/g) ?? [];
}
