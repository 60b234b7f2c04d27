import type { SyntaxNode } from '../syntax/node.ts';

/** Modules of the language that act on files, processes or networks. */
const ACTING_JAVASCRIPT =
  /^(?:node:)?(?:child_process|cluster|dgram|dns|fs|http|http2|https|module|net|process|tls|worker_threads)(?:\/|$)/;
const ACTING_PYTHON =
  /^(?:os|shutil|tempfile|subprocess|socket|socketserver|http|urllib|sqlite3|shelve|dbm|threading|multiprocessing|concurrent|asyncio|signal|pty|mmap)(?:\.(?!path\b)|$)/;

/**
 * Whether a test uses a module that acts on files, processes or networks. The code in its own sandbox sees none of what such a test
 * prepares.
 */
export function usesActingImports(root: SyntaxNode, test: SyntaxNode, language: 'javascript' | 'python'): boolean {
  const names = new Set(root.parts.flatMap(language === 'python' ? actingInPython : actingInJavaScript));
  if (names.size === 0) return false;
  return [...test.ofType('identifier', 'shorthand_property_identifier')].some(
    (one) => names.has(one.text) && !isPathOfOs(one),
  );
}

/** `os.path.join` only computes a text. */
const isPathOfOs = ({ text, parent }: SyntaxNode): boolean =>
  text === 'os' && parent?.type === 'attribute' && parent.child('attribute')?.text === 'path';

function actingInJavaScript(node: SyntaxNode): readonly string[] {
  const isLoading = node.type === 'import_statement' || node.type === 'lexical_declaration';
  if (!isLoading || ![...node.ofType('string_fragment')].some(({ text }) => ACTING_JAVASCRIPT.test(text))) return [];
  return [...node.ofType('identifier', 'shorthand_property_identifier_pattern')].map(({ text }) => text);
}

/** `import os`, `import shutil as files`, `from tempfile import mkdtemp` */
function actingInPython(node: SyntaxNode): readonly string[] {
  if (node.type !== 'import_statement' && node.type !== 'import_from_statement') return [];
  const [first, ...rest] = [...node.ofType('dotted_name')].map(({ text }) => text);
  const modules = node.type === 'import_statement' ? [first, ...rest] : [first];
  if (!modules.some((name) => name !== undefined && ACTING_PYTHON.test(name))) return [];
  return [...node.ofType('identifier')].map(({ text }) => text);
}
