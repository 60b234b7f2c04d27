import type { SyntaxNode } from '../../syntax/node.ts';

/** A demand of a test that two values are equal, of which one is made from literals. */
export interface ValueComparison {
  /** What is expected, as it stands in the test. */
  readonly expected: ExpectedValue;
  /** The same demand of two other values. */
  readonly demand: (actual: string, expected: string) => string;
  /** Where the demand can be made as early as possible: before other demands, and after what the value is made from. */
  readonly at: number;
}

export interface ExpectedValue {
  readonly text: string;
  /** Literals in it, by their places in the text. */
  readonly literals: readonly { readonly at: number; readonly text: string }[];
}

/** What a language knows of its tests. */
export interface ComparisonReader {
  readonly comparisonsIn: (test: SyntaxNode) => readonly ValueComparison[];
  /** Demands it, and ends the test. */
  readonly insertion: (demand: string, test: SyntaxNode, at: number) => string;
}

const LITERAL =
  /^(?:integer|float|string|true|false|number|int_literal|float_literal|interpreted_string_literal|raw_string_literal|integer_literal|string_literal|boolean_literal)$/;
/** What makes a value of a type of the product: its author says what is equal to it. */
const MADE = /^(?:call|new_expression|call_expression|composite_literal|token_tree)$/;

/** Null: native values alone, or nothing that could be another one. */
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

/** Before the statement, or earlier: right after the last one before it that gives a name which the value uses. */
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

/** Names that a statement may give a meaning: all that stand before the first `=`, or that it declares. */
function declared(statement: string): readonly string[] {
  const [before = '', ...after] = statement.split(/:?=(?![=>])/);
  const head =
    after.length > 0 ? before : (/^\s*(?:def|func|function|class|import|from|var)\b.*/.exec(statement)?.[0] ?? '');
  return head.match(/[A-Za-z_$][\w$]*/g) ?? [];
}
