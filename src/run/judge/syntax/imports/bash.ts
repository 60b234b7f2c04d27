import type { SyntaxNode } from '../node.ts';
import { importSpec, type ImportSpec } from './spec.ts';

/** `load` is how bats reads its helpers; it adds the ending itself. */
const SOURCING = new Set(['source', '.', 'load', 'bats_load_library']);

export function bashImports(root: SyntaxNode): ImportSpec[] {
  return [...root.ofType('command')].flatMap((node) => {
    const name = node.child('name')?.text ?? '';
    const [file] = node.childrenBy('argument');
    if (!SOURCING.has(name) || file === undefined) return [];
    const { path, whole } = knownPath(file);
    return path === '' ? [] : [importSpec('source', node, path, { whole })];
  });
}

/** What stands after the last variable or command substitution, less its slash. */
function knownPath(word: SyntaxNode): { readonly path: string; readonly whole: boolean } {
  const isUnknown = ({ type }: SyntaxNode): boolean =>
    /^(?:simple_expansion|expansion|command_substitution)$/.test(type);
  const unknown = [...word.walk((node) => !isUnknown(node))].filter(isUnknown);
  const from = unknown.at(-1)?.end ?? word.start;
  const known = word.text.slice(from - word.start).replaceAll(/["'\\]/g, '');
  return unknown.length === 0 ? { path: known, whole: true } : { path: known.replace(/^\/+/, ''), whole: false };
}
