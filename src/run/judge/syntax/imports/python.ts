import type { SyntaxNode } from '../node.ts';
import { importSpec, type ImportSpec } from './spec.ts';

export function pythonImports(root: SyntaxNode): ImportSpec[] {
  return [...root.ofType('import_statement', 'import_from_statement', 'call')].flatMap((node) => {
    switch (node.type) {
      case 'import_statement':
        return node.childrenBy('name').map((name) => importSpec('import', node, moduleName(name)));
      case 'import_from_statement':
        return fromImport(node);
      default:
        return dynamicImport(node);
    }
  });
}

function fromImport(node: SyntaxNode): ImportSpec[] {
  const from = node.child('module_name');
  if (from === null) return [];
  const names = node.childrenBy('name').map(moduleName);
  const all = node.firstOfType('wildcard_import') === null ? [] : ['*'];
  return [importSpec('import', node, withoutSpaces(from.text), { names: [...names, ...all] })];
}

/** `a.b as c` is `a.b`. */
function moduleName(node: SyntaxNode): string {
  return withoutSpaces((node.type === 'aliased_import' ? (node.child('name') ?? node) : node).text);
}

function withoutSpaces(text: string): string {
  return text.replaceAll(/[\s\\]/g, '');
}

function dynamicImport(call: SyntaxNode): ImportSpec[] {
  const called = call.child('function')?.text ?? '';
  if (!/^(?:(?:importlib\.)?import_module|__import__|(?:pytest\.)?importorskip|runpy\.run_module)$/.test(called))
    return [];
  const first = call.child('arguments')?.namedChildren[0];
  const module = first === undefined ? null : plainString(first);
  return module === null ? [] : [importSpec('dynamic', call, module)];
}

/** The value of a string literal without interpolation, escapes or prefix. */
function plainString(node: SyntaxNode): string | null {
  if (node.type !== 'string') return null;
  const parts = node.namedChildren.filter((child) => child.type !== 'string_start' && child.type !== 'string_end');
  const [content] = parts;
  if (content === undefined || parts.length > 1 || content.type !== 'string_content' || content.children.length > 0)
    return null;
  return content.text;
}
