import { applyEdits, type Edit } from '../../syntax/edits.ts';
import type { SyntaxNode, SyntaxTree } from '../../syntax/node.ts';

const ERASED = new Set([
  'type_annotation',
  'type_parameters',
  'type_arguments',
  'interface_declaration',
  'type_alias_declaration',
  'ambient_declaration',
  'function_signature',
  'method_signature',
  'implements_clause',
  'override_modifier',
  'type_predicate_annotation',
  'asserts_annotation',
]);
/** These have an effect at run time. */
const NOT_ERASABLE = new Set([
  'internal_module',
  'module',
  'decorator',
  'import_require_clause',
  'abstract_class_declaration',
  'type_assertion',
]);

/** TypeScript without its types, line by line. Null: more than types would have to be removed. */
export function stripTypes({ text, root, broken }: SyntaxTree): string | null {
  if (broken) return null;
  const edits: Edit[] = [];
  const erase = (start: number, end: number): void => {
    edits.push({ start, end, text: text.slice(start, end).replaceAll(/[^\n]/g, ' ') });
  };
  const visit = (node: SyntaxNode): boolean => {
    if (NOT_ERASABLE.has(node.type)) return false;
    if (ERASED.has(node.type) || isTypeOnly(node)) {
      erase(node.start, node.end);
      return true;
    }
    const [first, last] = [node.children[0], node.children.at(-1)];
    switch (node.type) {
      case 'enum_declaration': {
        const written = enumAsObject(node);
        if (written === null) return false;
        edits.push({ start: node.start, end: node.end, text: written });
        return true;
      }
      case 'as_expression':
      case 'satisfies_expression':
        if (first === undefined) return false;
        erase(first.end, node.end);
        return visit(first);
      case 'non_null_expression':
        if (first === undefined || last === undefined) return false;
        erase(last.start, last.end);
        return visit(first);
      case 'accessibility_modifier':
        // In a parameter, it declares a field.
        if (node.parent?.type !== 'public_field_definition' && node.parent?.type !== 'method_definition') return false;
        erase(node.start, node.end);
        return true;
      case 'import_specifier':
      case 'export_specifier':
        if (node.children[0]?.type === 'type') erase(node.start, endOfItem(node));
        return true;
      default:
        break;
    }
    for (const child of node.children) {
      if (child.type === 'readonly' || (child.type === '?' && node.type !== 'ternary_expression')) {
        if (node.type === 'required_parameter' || (child.type === 'readonly' && node.type === 'optional_parameter'))
          return false;
        erase(child.start, child.end);
        continue;
      }
      if (!visit(child)) return false;
    }
    return true;
  };
  return visit(root) ? applyEdits(text, edits) : null;
}

/** `enum A { B, C = 'c' }` as the object that it is at run time. Null: its values are not literals. */
function enumAsObject(node: SyntaxNode): string | null {
  const name = node.child('name')?.text;
  const members = node.child('body')?.parts ?? [];
  const puts = members.map((member) => {
    const [key, value] =
      member.type === 'enum_assignment' ? [member.child('name'), member.child('value')] : [member, null];
    const isWritten = value === null || /^(?:string|number|unary_expression)$/.test(value.type);
    const text =
      key?.type === 'property_identifier' ? JSON.stringify(key.text) : key?.type === 'string' ? key.text : null;
    return text === null || !isWritten ? null : `put(${text}, ${value?.text ?? 'next'});`;
  });
  if (name === undefined || puts.includes(null)) return null;
  const put =
    'const put = (key, value) => { made[key] = value; if (typeof value === "number") { made[value] = key; next = value + 1; } };';
  return `const ${name} = (() => { const made = {}; let next = 0; ${put} ${puts.join(' ')} return made; })();`;
}

/** `import type …`, `export type …`, `export interface …`. */
function isTypeOnly(node: SyntaxNode): boolean {
  if (node.type !== 'import_statement' && node.type !== 'export_statement') return false;
  if (node.children[1]?.type === 'type') return true;
  return ERASED.has(node.child('declaration')?.type ?? '');
}

/** Includes the comma that follows. */
function endOfItem(node: SyntaxNode): number {
  return node.next?.type === ',' ? node.next.end : node.end;
}
