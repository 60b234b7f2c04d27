import type { SyntaxNode } from '../../syntax/node.ts';

/** The path of an attribute's name: `cfg`, `tokio::test`. `attribute`: `#[…]` or `#![…]`. */
function attributeName(attribute: SyntaxNode): string {
  const inner = attribute.firstOfType('attribute');
  return (inner?.namedChildren[0]?.text ?? '').replaceAll(/\s/g, '');
}

/** The arguments of each `cfg(…)`. */
export function conditionsOf(attributes: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return attributes
    .filter((attribute) => attributeName(attribute) === 'cfg')
    .map((attribute) => attribute.firstOfType('attribute')?.child('arguments') ?? null)
    .filter((tokens) => tokens !== null);
}

/** Attributes that make a function a test: `test` of any crate, and those that crates have for it. */
const TEST_ATTRIBUTE =
  /^(?:\w+::)*(?:test|bench|rstest|test_case|quickcheck|proptest|property_test|wasm_bindgen_test|parameterized)$/;

export const isTestAttribute = (attribute: SyntaxNode): boolean => TEST_ATTRIBUTE.test(attributeName(attribute));

/** The same inside a macro, where nothing is parsed: `#` and `[test]`. */
export function makesTests(tokens: SyntaxNode): boolean {
  return [...tokens.walk()].some(({ children }) =>
    children.some((tree, index) => {
      if (tree.type !== 'token_tree' || children[index - 1]?.type !== '#') return false;
      const name = /^\[\s*([\w:\s]+?)\s*[\](]/.exec(tree.text)?.[1]?.replaceAll(/\s/g, '');
      return name !== undefined && TEST_ATTRIBUTE.test(name);
    }),
  );
}
