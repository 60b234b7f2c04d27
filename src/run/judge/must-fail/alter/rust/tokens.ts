import type { SyntaxNode } from '../../../syntax/node.ts';

/** The tokens inside a macro call, which Rust's grammar does not parse further. */
export type Tokens = readonly SyntaxNode[];

/** The tokens between separators, without comments. */
export function splitTokens(tokens: Tokens, separator: string): readonly Tokens[] {
  const parts: SyntaxNode[][] = [[]];
  for (const token of tokens) {
    if (token.type === separator) parts.push([]);
    else if (!token.type.endsWith('comment')) parts.at(-1)?.push(token);
  }
  return parts.filter(({ length }) => length > 0);
}
