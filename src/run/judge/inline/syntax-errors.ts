import type { SyntaxNode, SyntaxTree } from '../syntax/node.ts';

/**
 * Whether the parser's picture of a patched file can be relied on. Grammars do not know every new syntax, so a statement that
 * was there in the base, letter by letter, may be one that they cannot read.
 */
export function isReadable(patch: SyntaxTree, base: SyntaxTree | null): boolean {
  if (!patch.broken) return true;
  const known = new Set(base?.root.children.map(({ text }) => text));
  const broken = patch.root.children.filter(hasError);
  return broken.length > 0 && broken.every(({ text }) => known.has(text));
}

/** Something that the parser skipped or made up. */
function hasError(node: SyntaxNode): boolean {
  return [...node.walk()].some(
    ({ type, start, end, children }) => type === 'ERROR' || (start === end && children.length === 0),
  );
}

/** What inline tests look like, in whatever language. */
const MARKS = /\bcfg\s*\(.*\btest\b|#\[\s*(?:\w+::)*test\b|\bmeta\s*\.\s*vitest\b|>>>|\bTestCase\b|\bdef\s+test/;

/** Whether the base has tests where its grammar lost track, and the patch does not have the same there. */
export function hidesTests(base: SyntaxTree, patch: SyntaxTree): boolean {
  if (!base.broken) return false;
  return [...base.root.ofType('ERROR')].some(({ text }) => MARKS.test(text) && !patch.text.includes(text));
}
