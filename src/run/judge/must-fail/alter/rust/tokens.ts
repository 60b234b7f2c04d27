import type { SyntaxNode } from '../../../syntax/node.ts';

/** What stands inside a macro call, which Rust's grammar leaves as it is. */
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
