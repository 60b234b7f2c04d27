import type { SyntaxNode } from '../node.ts';
import { importSpec, type ImportSpec } from './spec.ts';

export function cImports(root: SyntaxNode): ImportSpec[] {
  return [...root.ofType('preproc_include')].flatMap((node) => {
    const path = node.child('path');
    // `#include MACRO` names no file.
    if (path === null || (path.type !== 'string_literal' && path.type !== 'system_lib_string')) return [];
    return [importSpec(path.type === 'string_literal' ? 'include' : 'system_include', node, path.text.slice(1, -1))];
  });
}
