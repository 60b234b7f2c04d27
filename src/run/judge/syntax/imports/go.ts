import type { SyntaxNode } from '../node.ts';
import { importSpec, type ImportSpec } from './spec.ts';

export function goImports(root: SyntaxNode): ImportSpec[] {
  const imports = [...root.ofType('import_spec')].flatMap((node) => {
    const path = node.child('path');
    return path === null ? [] : [importSpec('import', node, path.text.slice(1, -1))];
  });
  return [...imports, ...[...root.ofType('comment')].flatMap(embeds)];
}

/** `//go:embed a.txt "b c" dir` names files or patterns. */
function embeds(comment: SyntaxNode): ImportSpec[] {
  const patterns = /^\/\/go:embed\s+(.*)/.exec(comment.text)?.[1] ?? '';
  return (patterns.match(/"[^"]*"|`[^`]*`|\S+/g) ?? []).map((pattern) =>
    importSpec('resource', comment, pattern.replace(/^["`](.*)["`]$/, '$1')),
  );
}
