import type { SyntaxNode } from '../../syntax/node.ts';
import { numberKeys } from '../entries.ts';
import { definitionOf, isTest } from './tests.ts';

/** A module, class or function that may have a docstring. */
export interface Documented {
  /** `Slug.join`, empty for the module. Numbered where a name is defined several times. */
  readonly key: string;
  /** What holds its statements. */
  readonly body: SyntaxNode;
  readonly docstring: SyntaxNode | null;
}

/** The module and everything in it whose docstring the doctest module finds: not what is inside of functions. */
export function documentedIn(root: SyntaxNode): readonly Documented[] {
  return numberKeys([documented('', root), ...definitionsBelow(root, '')]);
}

/** Statements that may hold definitions without being one. */
const COMPOUND = /^(?:block|(?:if|try|with|for|while)_statement|(?:else|elif|except|finally|except_group)_clause)$/;

function definitionsBelow(container: SyntaxNode, above: string): readonly Documented[] {
  return container.namedChildren.flatMap((child) => {
    // A test comes back as a whole, with its docstring.
    if (isTest(child)) return [];
    const node = definitionOf(child);
    if (COMPOUND.test(node.type)) return definitionsBelow(node, above);
    const body = node.child('body');
    if (!/^(?:class|function)_definition$/.test(node.type) || body === null) return [];
    const key = `${above}${node.child('name')?.text ?? ''}`;
    return [documented(key, body), ...(node.type === 'class_definition' ? definitionsBelow(body, `${key}.`) : [])];
  });
}

function documented(key: string, body: SyntaxNode): Documented {
  const first = body.namedChildren.find(({ type }) => type !== 'comment');
  const value = first?.type === 'expression_statement' ? first.namedChildren[0] : undefined;
  return { key, body, docstring: value !== undefined && isPlainText(value) ? value : null };
}

/** A formatted string or bytes are no docstring. */
function isPlainText(node: SyntaxNode): boolean {
  if (node.type === 'concatenated_string') return node.namedChildren.every(isPlainText);
  return node.type === 'string' && !/^[^'"]*[fbt]/i.test(node.text);
}
