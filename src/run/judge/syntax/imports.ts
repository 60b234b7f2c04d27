import { bashImports } from './imports/bash.ts';
import { cImports } from './imports/c.ts';
import { goImports } from './imports/go.ts';
import { javascriptImports } from './imports/javascript.ts';
import { pythonImports } from './imports/python.ts';
import { rustImports } from './imports/rust.ts';
import type { ImportSpec } from './imports/spec.ts';
import { type Language, languageOf } from './language.ts';
import type { SyntaxNode } from './node.ts';
import { parse } from './parse.ts';

/** What a file brings in from others, in the order of the text. Null: no grammar reads it, or it is too large to parse. */
export async function importsOf(path: string, text: string): Promise<readonly ImportSpec[] | null> {
  const language = languageOf(path, text);
  const tree = language === null ? null : await parse(language, text);
  return language === null || tree === null ? null : importsIn(language, tree.root);
}

function importsIn(language: Language, root: SyntaxNode): readonly ImportSpec[] {
  switch (language) {
    case 'python':
      return pythonImports(root);
    case 'javascript':
    case 'typescript':
    case 'tsx':
      return javascriptImports(root);
    case 'go':
      return goImports(root);
    case 'rust':
      return rustImports(root);
    case 'c':
      return cImports(root);
    case 'bash':
      return bashImports(root);
    default:
      return language satisfies never;
  }
}
