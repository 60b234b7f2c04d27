import type { SyntaxNode } from '../node.ts';
import { importSpec, type ImportKind, type ImportSpec } from './spec.ts';

const RESOURCE_CALLS = /^(?:require\.resolve|import\.meta\.resolve|(?:jest|vi|vitest)\.\w*[mM]ock\w*)$/;
const REFERENCE = /^\/\/\/\s*<reference\s+(?:path|types)\s*=\s*["']([^"']+)["']/;

export function javascriptImports(root: SyntaxNode): ImportSpec[] {
  return [...root.walk()].flatMap((node) => {
    switch (node.type) {
      case 'import_statement':
      case 'export_statement':
        return statement(node);
      case 'import_require_clause':
        return literalSpec('require', node, node.child('source'));
      case 'call_expression':
        return call(node);
      case 'new_expression':
        return newUrl(node);
      case 'comment': {
        const path = REFERENCE.exec(node.text)?.[1];
        return path === undefined ? [] : [importSpec('import', node, path, { typeOnly: true })];
      }
      default:
        return [];
    }
  });
}

function statement(node: SyntaxNode): ImportSpec[] {
  const source = node.child('source');
  const specifier = source === null ? null : stringValue(source);
  if (specifier === null) return [];
  const typeOnly = node.children.some((child) => child.type === 'type' || child.type === 'typeof');
  const names = [...node.ofType('import_specifier', 'export_specifier')].map(
    (one) => one.child('name')?.text ?? one.text,
  );
  const kind = node.type === 'import_statement' ? 'import' : 'reexport';
  return [importSpec(kind, node, specifier, { names, typeOnly })];
}

function call(node: SyntaxNode): ImportSpec[] {
  const called = node.child('function');
  const first = node.child('arguments')?.parts[0] ?? null;
  if (called === null) return [];
  if (called.type === 'import') return literalSpec('dynamic', node, first);
  if (called.text === 'require' || called.text === 'module.require') return literalSpec('require', node, first);
  return RESOURCE_CALLS.test(called.text) ? literalSpec('resource', node, first) : [];
}

function newUrl(node: SyntaxNode): ImportSpec[] {
  const [first, second] = node.child('arguments')?.namedChildren ?? [];
  const isUrl = node.child('constructor')?.text === 'URL' && second?.text === 'import.meta.url';
  return isUrl && first !== undefined ? literalSpec('resource', node, first) : [];
}

function literalSpec(kind: ImportKind, node: SyntaxNode, argument: SyntaxNode | null): ImportSpec[] {
  const specifier = argument === null ? null : stringValue(argument);
  return specifier === null ? [] : [importSpec(kind, node, specifier)];
}

/** The value of a string or of a template without placeholders. Null: not a literal. */
export function stringValue(node: SyntaxNode): string | null {
  if (node.type !== 'string' && node.type !== 'template_string') return null;
  if (node.firstOfType('template_substitution') !== null) return null;
  const fragments = node.namedChildren;
  if (fragments.some((fragment) => fragment.type !== 'string_fragment' && fragment.type !== 'escape_sequence'))
    return null;
  return fragments.map((part) => (part.type === 'escape_sequence' ? unescaped(part.text) : part.text)).join('');
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', v: '\v', '0': '\0' };

function unescaped(escape: string): string {
  const code = /^\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\})$/i.exec(escape);
  const digits = code?.[1] ?? code?.[2] ?? code?.[3];
  if (digits !== undefined) return String.fromCodePoint(Math.min(Number.parseInt(digits, 16), 0x10ffff));
  const letter = escape.slice(1);
  if (letter === '\n' || letter === '\r\n') return '';
  return Object.hasOwn(ESCAPES, letter) ? (ESCAPES[letter] ?? letter) : letter;
}
