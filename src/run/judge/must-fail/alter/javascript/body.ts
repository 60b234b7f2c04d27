import type { SyntaxNode } from '../../../syntax/node.ts';

export function statementsOf(block: SyntaxNode): readonly SyntaxNode[] {
  return block.parts;
}

export function parametersOf(test: SyntaxNode): readonly string[] {
  const single = test.child('parameter');
  if (single !== null) return [single.text];
  const parameters = test.child('parameters')?.parts ?? [];
  return parameters.map((parameter) => (parameter.child('pattern') ?? parameter).text);
}

/**
 * The callback parameter that ends an asynchronous test. mocha and jest pass it first, node second after its context; other runners
 * have none. If the runner is unknown, it is recognised by its usual names.
 */
export function doneOf(test: SyntaxNode, runner: string): string | null {
  const [first, second] = parametersOf(test);
  // The row of a table is passed first.
  const done = candidate(isFromTable(test) ? 'unknown' : runner, first, second);
  return done !== undefined && /^[\w$]+$/.test(done) ? done : null;
}

function candidate(runner: string, first: string | undefined, second: string | undefined): string | undefined {
  switch (runner) {
    case 'mocha':
    case 'jest':
      return first;
    case 'node-test':
      return second;
    case 'vitest':
    case 'ava':
    case 'tap':
      return undefined;
    default:
      return [first, second].find((name) => /^(?:done|cb|callback|next)$/.test(name ?? ''));
  }
}

function isFromTable(test: SyntaxNode): boolean {
  const call = [...test.ancestors()].find(({ type }) => type === 'call_expression');
  return /\.(?:each|for)\b/.test(call?.child('function')?.text ?? '');
}

/** Nodes of these types that belong to this function, not to a nested one. */
export function ownNodes(node: SyntaxNode, ...types: readonly string[]): readonly SyntaxNode[] {
  const inner = (below: SyntaxNode): boolean =>
    below !== node &&
    /^(?:arrow_function|function_\w+|generator_function\w*|method_definition|class_body)$/.test(below.type);
  return [...node.walk((below) => !inner(below))].filter((below) => types.includes(below.type));
}
