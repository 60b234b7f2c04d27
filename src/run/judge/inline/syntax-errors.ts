import type { SyntaxNode, SyntaxTree } from '../syntax/node.ts';

/**
 * Whether the syntax tree of a patched file is reliable. Grammars lag behind new syntax, so a statement that is unchanged from the base
 * may be one that they cannot parse.
 */
export function isReadable(patch: SyntaxTree, base: SyntaxTree | null): boolean {
  if (!patch.broken) return true;
  const known = new Set(base?.root.children.map(({ text }) => text));
  const broken = patch.root.children.filter(hasError);
  return broken.length > 0 && broken.every(({ text }) => known.has(text));
}

/** A node that the parser skipped or invented. */
function hasError(node: SyntaxNode): boolean {
  return [...node.walk()].some(
    ({ type, start, end, children }) => type === 'ERROR' || (start === end && children.length === 0),
  );
}

/** Signs of inline tests in any language. */
const MARKS = /\bcfg\s*\(.*\btest\b|#\[\s*(?:\w+::)*test\b|\bmeta\s*\.\s*vitest\b|>>>|\bTestCase\b|\bdef\s+test/;

/** Whether the base has tests in a part that its grammar cannot parse, and the patch changes that part. */
export function hidesTests(base: SyntaxTree, patch: SyntaxTree): boolean {
  if (!base.broken) return false;
  return [...base.root.ofType('ERROR')].some(({ text }) => MARKS.test(text) && !patch.text.includes(text));
}
