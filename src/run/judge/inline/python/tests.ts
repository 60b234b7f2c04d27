import type { SyntaxNode } from '../../syntax/node.ts';

const STARTS_TESTS =
  /\b(?:unittest\s*\.\s*(?:main|TextTestRunner)|pytest\s*\.\s*main|doctest\s*\.\s*(?:testmod|run_docstring_examples))\b/;

/** Whether a statement of a module is a test that unittest or pytest collect, or starts them. */
export function isTest(node: SyntaxNode): boolean {
  const definition = definitionOf(node);
  const name = definition.child('name')?.text ?? '';
  switch (definition.type) {
    case 'function_definition':
      return name === 'load_tests' || (name.startsWith('test') && hasAssertion(definition));
    case 'class_definition':
      return isTestClass(definition, name);
    case 'expression_statement':
      return /^__test__\b/.test(definition.text);
    case 'if_statement':
      return STARTS_TESTS.test(definition.text);
    default:
      return false;
  }
}

export const definitionOf = (node: SyntaxNode): SyntaxNode =>
  node.type === 'decorated_definition' ? (node.child('definition') ?? node) : node;

/** A product may have a function `test` too. */
function hasAssertion(definition: SyntaxNode): boolean {
  return [...definition.ofType('assert_statement', 'call')].some(
    (node) =>
      node.type === 'assert_statement' ||
      /^(?:pytest|self)\s*\.|assert|raises/i.test(node.child('function')?.text ?? ''),
  );
}

function isTestClass(definition: SyntaxNode, name: string): boolean {
  const above = definition.child('superclasses')?.text ?? '';
  if (/TestCase\b/.test(above)) return true;
  const methods = definition.child('body')?.namedChildren.map(definitionOf) ?? [];
  return name.startsWith('Test') && methods.some((one) => one.child('name')?.text.startsWith('test') === true);
}
