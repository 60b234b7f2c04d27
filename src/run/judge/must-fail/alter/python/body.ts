import type { SyntaxNode } from '../../../syntax/node.ts';

export function pythonStatements(block: SyntaxNode): readonly SyntaxNode[] {
  return block.parts;
}

function isDocstring(statement: SyntaxNode): boolean {
  const [only, ...others] = statement.parts;
  return statement.type === 'expression_statement' && others.length === 0 && (only?.type.endsWith('string') ?? false);
}

/** The statements that a function runs when called, without its docstring. */
export function runStatements(test: SyntaxNode): readonly SyntaxNode[] {
  const body = test.child('body');
  const statements = body === null ? [] : pythonStatements(body);
  return statements.filter((statement, index) => index > 0 || !isDocstring(statement));
}

/** Nodes of these types that belong to this function, not to a nested one. */
export function pythonOwnNodes(node: SyntaxNode, ...types: readonly string[]): readonly SyntaxNode[] {
  const inner = (below: SyntaxNode): boolean =>
    below !== node && /^(?:function_definition|lambda|class_definition)$/.test(below.type);
  return [...node.walk((below) => !inner(below))].filter((below) => types.includes(below.type));
}

/** The white space before an offset in its line. Null: the line has other text before it. */
export function marginAt(source: string, at: number): string | null {
  const margin = source.slice(source.lastIndexOf('\n', at - 1) + 1, at);
  return /^[ \t\f]*$/.test(margin) ? margin : null;
}

/** The end of the line that contains an offset. */
export function lineEnd(source: string, at: number): number {
  const end = source.indexOf('\n', at);
  if (end === -1) return source.length;
  return source[end - 1] === '\r' ? end - 1 : end;
}

/**
 * Statements of a test, including those in loops and branches, which may not run. Empty for a test that may return early: later
 * statements may not be reached. `isLeftOut`: a context whose failures may not fail the test.
 */
export function nestedStatements(test: SyntaxNode, isLeftOut: (context: SyntaxNode) => boolean): readonly SyntaxNode[] {
  if (pythonOwnNodes(test, 'return_statement').length > 0) return [];
  const within = (statement: SyntaxNode): readonly SyntaxNode[] => {
    if (!/^(?:for|while|if|with)_statement$/.test(statement.type)) return [statement];
    if (statement.type === 'with_statement' && isLeftOut(statement)) return [];
    return bodiesOf(statement).flatMap(pythonStatements).flatMap(within);
  };
  return runStatements(test).flatMap(within);
}

function bodiesOf(statement: SyntaxNode): readonly SyntaxNode[] {
  const others = statement
    .childrenBy('alternative')
    .flatMap((one) => [...one.childrenBy('body'), ...one.childrenBy('consequence')]);
  return [...statement.childrenBy('body'), ...statement.childrenBy('consequence'), ...others];
}
